// Why who is signed in cannot copy into an environment; nothing for who can.
import type { Role } from "../../api/session.js";
import { canChangeTargeting, hasRole, roleName } from "../../roles.js";

export function WhyNoCopy({ role, target }: { role: Role; target: { name: string; production: boolean } }) {
  if (canChangeTargeting(role, target)) return null;
  return (
    <span className="compare-why-not" role="note">
      {hasRole(role, "editor") ? (
        <>
          You cannot copy into <bdi>{target.name}</bdi>: copying into a production environment takes the role Production
          editor, and yours is {roleName(role)}.
        </>
      ) : (
        `You can compare and not copy: your role is ${roleName(role)}.`
      )}
    </span>
  );
}
