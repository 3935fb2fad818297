// The requests of a decision on several: before it, and with the answer to each after it.
import { ResultList, ResultNotes } from "../../../parts/bulk/result-list.js";
import type { Tone } from "../../../parts/display/chip.js";
import { formatTime } from "../../../parts/display/time.js";
import type { ApprovalState } from "../approvals.js";
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
          {request.scheduledFor && (
            <ResultNotes tone="accent" label="Scheduled">
              <time dateTime={request.scheduledFor}>{formatTime(request.scheduledFor)}</time>
            </ResultNotes>
          )}
        </li>
      ))}
    </ResultList>
  );
}

interface BulkResultsProps {
  verdict: BulkVerdict;
  results: readonly DecisionResult[];
}

interface Done {
  label: string;
  tone: Tone;
  /** `2 requests approved and applied` */
  total: string;
}

const APPLIED: Done = { label: "Applied", tone: "good", total: "approved and applied" };
const SCHEDULED: Done = { label: "Scheduled", tone: "accent", total: "approved and scheduled" };
const REJECTED: Done = { label: "Rejected", tone: "good", total: "rejected" };
const FAILED: Record<BulkVerdict, string> = { approve: "Not applied", reject: "Not rejected" };

function doneOf(state: ApprovalState): Done {
  if (state === "scheduled") return SCHEDULED;
  return state === "rejected" ? REJECTED : APPLIED;
}

export function BulkResults({ verdict, results }: BulkResultsProps) {
  return (
    <>
      <p role="status">{totals(results)}.</p>
      <ResultList label="Results">
        {results.map((result) => (
          <li key={result.request.id}>
            <RequestName request={result.request} />
            <Result verdict={verdict} result={result} />
          </li>
        ))}
      </ResultList>
    </>
  );
}

/** `2 requests approved and applied, 1 request refused` */
function totals(results: readonly DecisionResult[]): string {
  const accepted = results.flatMap((result) => (result.refusal === undefined ? [doneOf(result.state)] : []));
  const unanswered = results.filter((result) => result.refusal !== undefined && result.isUnanswered).length;
  const refused = results.length - accepted.length - unanswered;
  const counts = [APPLIED, SCHEDULED, REJECTED].map((done) => ({
    length: accepted.filter((one) => one === done).length,
    total: done.total,
  }));
  return [...counts, { length: refused, total: "refused" }, { length: unanswered, total: "without an answer" }]
    .filter(({ length }) => length > 0)
    .map((count) => `${countOf(count)} ${count.total}`)
    .join(", ");
}

function Result({ verdict, result }: { verdict: BulkVerdict; result: DecisionResult }) {
  if (result.refusal === undefined) {
    const { tone, label } = doneOf(result.state);
    return <ResultNotes tone={tone} label={label} />;
  }
  const { project, id, featureName } = result.request;
  return (
    <ResultNotes
      tone="bad"
      label={result.isUnanswered ? "No answer" : FAILED[verdict]}
      request={{ href: `/projects/${project}/approvals/${id}`, name: featureName }}
    >
      <bdi>{result.refusal}</bdi>
    </ResultNotes>
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
