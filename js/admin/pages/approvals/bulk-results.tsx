// The requests of a decision on several: before it, and with the answer to each after it.
import type { ReactNode } from "react";
import { Link } from "react-aria-components";
import { Chip } from "../../parts/display/chip.js";
import type { BulkVerdict, DecidableRequest, DecisionResult } from "./decisions.js";

/** `1 request`, `12 requests` */
export function countOf({ length }: { length: number }): string {
  return `${length.toLocaleString("en")} ${length === 1 ? "request" : "requests"}`;
}

export function RequestList({ requests }: { requests: readonly DecidableRequest[] }) {
  return (
    <List label="Requests">
      {requests.map((request) => (
        <li key={request.id}>
          <RequestName request={request} />
        </li>
      ))}
    </List>
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
      <List label="Results">
        {results.map(({ request, refusal }) => (
          <li key={request.id}>
            <RequestName request={request} />
            <span className="approvals-answer">
              {refusal === undefined ? (
                <Chip tone="good">{DONE[verdict].label}</Chip>
              ) : (
                <>
                  <Chip tone="bad">{DONE[verdict].failed}</Chip>
                  <bdi>{refusal}</bdi>
                  <Link href={`/projects/${request.project}/approvals/${request.id}`}>
                    View request<span className="visually-hidden"> for {request.featureName}</span>
                  </Link>
                </>
              )}
            </span>
          </li>
        ))}
      </List>
    </>
  );
}

function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    // Focusable, so that a long list can be scrolled by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls
    <ul className="approvals-bulk" aria-label={label} tabIndex={0}>
      {children}
    </ul>
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
