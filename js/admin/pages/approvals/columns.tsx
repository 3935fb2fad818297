// Columns that the requests of a project and the inbox have in common.
import { formatTime } from "../../parts/display/time.js";
import { NameCell } from "../../parts/list/name-cell.js";
import type { Column } from "../../parts/list/table.js";
import type { ApprovalSummary } from "./approvals.js";
import type { DecidableRequest } from "./decisions.js";

const KINDS = { edit: "Targeting", copy: "Copy", feature: "Feature", deletion: "Deletion" };

interface ChangeKindProps {
  kind: ApprovalSummary["kind"];
  /** The name of the environment that the change copies from. */
  source: string | null | undefined;
}

export function ChangeKind({ kind, source }: ChangeKindProps) {
  if (!source) return KINDS[kind];
  return (
    <span>
      Copy from <bdi>{source}</bdi>
    </span>
  );
}

interface FeatureCellProps {
  name: string;
  /** The address of the project. */
  at: string;
  request: ApprovalSummary;
}

export function FeatureCell({ name, at, request: { id, comment } }: FeatureCellProps) {
  return (
    <NameCell name={name} href={`${at}/approvals/${id}`}>
      {comment && <bdi className="approvals-comment">{comment}</bdi>}
    </NameCell>
  );
}

/** How many names of features a row shows. */
const SHOWN_NAMES = 3;

interface CopyCellProps {
  /** The first. */
  request: Pick<ApprovalSummary, "copyId" | "state" | "comment">;
  /** All that the copy requested. */
  requests: readonly DecidableRequest[];
}

export function CopyCell({ request: { copyId, state, comment }, requests }: CopyCellProps) {
  const project = requests[0]?.project;
  const names = requests.slice(0, SHOWN_NAMES).map(({ featureName }) => featureName);
  const others = requests.length - names.length;
  return (
    <NameCell
      name={`${requests.length.toLocaleString("en")} features`}
      href={`/projects/${project}/approvals?copy=${copyId}&state=${state}`}
    >
      <bdi className="approvals-comment">
        {names.join(", ")}
        {others > 0 && ` and ${others.toLocaleString("en")} more`}
      </bdi>
      {comment && <bdi className="approvals-comment">{comment}</bdi>}
    </NameCell>
  );
}

export const REQUESTER: Column<ApprovalSummary> = {
  key: "requester",
  header: "Requested",
  width: "minmax(9rem, 0.9fr)",
  cell: ({ requestedBy, requestedAt }) => (
    <span className="approvals-requested">
      <bdi>{requestedBy.name}</bdi>
      <time dateTime={requestedAt}>{formatTime(requestedAt)}</time>
    </span>
  ),
};
