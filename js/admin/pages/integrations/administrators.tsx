// Whom to ask: integrations hold credentials, and are the administrators' alone.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import { EmptyState } from "../../parts/feedback/state.js";

const SHOWN = 5;

export function Administrators() {
  const users = useQuery(wholeList("/api/v1/users")).data ?? [];
  const administrators = users.filter(({ role }) => role === "administrator");
  return (
    <EmptyState icon="integrations" title="Only administrators see and change integrations">
      {administrators.length === 0 ? (
        "Ask an administrator of the organisation."
      ) : (
        <>
          Ask one of them:{" "}
          {administrators.slice(0, SHOWN).map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <strong>
                <bdi>{name}</bdi>
              </strong>
            </span>
          ))}
          {administrators.length > SHOWN && ` and ${administrators.length - SHOWN} more`}.
        </>
      )}
    </EmptyState>
  );
}
