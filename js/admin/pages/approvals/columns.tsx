// Columns that the requests of a project and the inbox have in common.
import { NameCell } from "../../parts/list/name-cell.js";
import type { Column } from "../../parts/list/table.js";
import { type ApprovalSummary, formatTime } from "./approvals.js";

const KINDS = { edit: "Edit", copy: "Copy", feature: "Change of the feature", deletion: "Deletion" };

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
