// Which scheduled change builds on which: those of one targeting are each made for what the one before leaves.
import type { ApprovalSummary } from "../approvals.js";

type Change = Pick<ApprovalSummary, "id" | "featureKey" | "environmentKey">;

/** The change before, by id; the first of each targeting has none. The changes are in the order of their times. */
export function predecessorsOf<C extends Change>(changes: readonly C[]): Map<string, C> {
  const predecessors = new Map<string, C>();
  const lastOf = new Map<string, C>();
  for (const change of changes) {
    // Keys have no spaces.
    const targeting = `${change.featureKey} ${change.environmentKey}`;
    const last = lastOf.get(targeting);
    if (last) predecessors.set(change.id, last);
    lastOf.set(targeting, change);
  }
  return predecessors;
}
