// For people who may not do a step: who can.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import { Skeleton } from "../../parts/feedback/state.js";

const MAX_NAMES = 5;

/** `what`: to follow "Only administrators can". */
export function WhoCan({ what }: { what: string }) {
  const people = useQuery(wholeList("/api/v1/users"));
  const administrators = people.data?.filter(({ role }) => role === "administrator") ?? [];
  return (
    <div className="start-who">
      <p>Only administrators can {what}. Ask one of them:</p>
      {people.isPending ? (
        <Skeleton width="12rem" />
      ) : (
        <ul>
          {administrators.slice(0, MAX_NAMES).map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
