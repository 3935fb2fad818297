// Shown to everyone else: integrations hold credentials, so only administrators can see them.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import { EmptyState } from "../../parts/feedback/state.js";

const MAX_NAMES = 5;

export function AdministratorsOnly() {
  const people = useQuery(wholeList("/api/v1/users")).data ?? [];
  const administrators = people.filter(({ role }) => role === "administrator");
  return (
    <EmptyState icon="integrations" title="Only administrators can see and change integrations">
      {administrators.length === 0 ? (
        "Ask an administrator of your organisation."
      ) : (
        <>
          Ask an administrator:{" "}
          {administrators.slice(0, MAX_NAMES).map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <strong>
                <bdi>{name}</bdi>
              </strong>
            </span>
          ))}
          {administrators.length > MAX_NAMES && ` and ${administrators.length - MAX_NAMES} more`}.
        </>
      )}
    </EmptyState>
  );
}
