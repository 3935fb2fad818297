// The requests of a decision on several: before it, and with the answer to each after it.
import { ResultList, ResultNotes } from "../../../parts/bulk/result-list.js";
import type { BulkVerdict, DecidableRequest, DecisionResult } from "../decisions.js";

/** `1 request`, `12 requests` */
export function countOf({ length }: { length: number }): string {
  return `${length.toLocaleString("en")} ${length === 1 ? "request" : "requests"}`;
}

export function RequestList({ requests }: { requests: readonly DecidableRequest[] }) {
  return (
    <ResultList label="Requests">
      {requests.map((request) => (
        <li key={request.id}>
          <RequestName request={request} />
        </li>
      ))}
    </ResultList>
  );
}

interface BulkResultsProps {
  verdict: BulkVerdict;
  results: readonly DecisionResult[];
}

const DONE: Record<BulkVerdict, { label: string; failed: string; total: string }> = {
  approve: { label: "Applied", failed: "Not applied", total: "approved and applied" },
  reject: { label: "Rejected", failed: "Not rejected", total: "rejected" },
};

export function BulkResults({ verdict, results }: BulkResultsProps) {
  const refused = results.filter(({ refusal }) => refusal !== undefined);
  const accepted = results.length - refused.length;
  const totals = [
    ...(accepted > 0 ? [`${countOf({ length: accepted })} ${DONE[verdict].total}`] : []),
    ...(refused.length > 0 ? [`${countOf(refused)} refused`] : []),
  ];
  return (
    <>
      <p role="status">{totals.join(", ")}.</p>
      <ResultList label="Results">
        {results.map(({ request, refusal }) => (
          <li key={request.id}>
            <RequestName request={request} />
            {refusal === undefined ? (
              <ResultNotes tone="good" label={DONE[verdict].label} />
            ) : (
              <ResultNotes
                tone="bad"
                label={DONE[verdict].failed}
                request={{ href: `/projects/${request.project}/approvals/${request.id}`, name: request.featureName }}
              >
                <bdi>{refusal}</bdi>
              </ResultNotes>
            )}
          </li>
        ))}
      </ResultList>
    </>
  );
}

function RequestName({ request: { featureName, environment, projectName } }: { request: DecidableRequest }) {
  return (
    <span>
      <strong>
        <bdi>{featureName}</bdi>
      </strong>{" "}
      in <bdi>{environment.name}</bdi>
      {projectName && (
        <span className="muted">
          , <bdi>{projectName}</bdi>
        </span>
      )}
    </span>
  );
}
