// Where a copy goes, or why the signed-in person can't copy there.
import type { Role } from "../../api/session.js";
import { ProductionChip } from "../../parts/display/chip.js";
import { canChangeTargeting, hasRole, roleName } from "../../roles.js";

interface CopyTargetProps {
  role: Role;
  target: { name: string; production: boolean };
}

export function CopyTarget({ role, target }: CopyTargetProps) {
  if (!canChangeTargeting(role, target)) {
    return (
      <span className="compare-why-not" role="note">
        <WhyNoCopy role={role} target={target} />
      </span>
    );
  }
  return (
    <>
      Copying to{" "}
      <strong>
        <bdi>{target.name}</bdi>
      </strong>{" "}
      {target.production && <ProductionChip />}
    </>
  );
}

function WhyNoCopy({ role, target }: CopyTargetProps) {
  if (!hasRole(role, "editor")) return `You can compare but not copy. Your role is ${roleName(role)}.`;
  return (
    <>
      Copying to <bdi>{target.name}</bdi> requires the production editor role. Your role is {roleName(role)}.
    </>
  );
}
