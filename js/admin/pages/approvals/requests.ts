// The requests that the list of a project shows, by state.
import { useMemo } from "react";
import { hasFailed } from "../../api/queries.js";
import { asTheyAreDue } from "../../parts/feature/schedule/order.js";
import { type ApprovalSummary, useApprovals } from "./approvals.js";
import { ALL, type ApprovalFilter } from "./filter.js";

/** Newest first. What is scheduled has those that still wait for an approval too, and is in the order of the times. */
export function useRequests(project: string, state: ApprovalFilter["state"]) {
  const isSchedule = state === "scheduled";
  const ofState = useApprovals(project, state === ALL ? undefined : state);
  const pending = useApprovals(project, "pending", isSchedule);
  const data = useMemo(
    () => (isSchedule ? ofState.data && pending.data && schedule(ofState.data, pending.data) : ofState.data),
    [isSchedule, ofState.data, pending.data],
  );
  const failed = [ofState, ...(isSchedule ? [pending] : [])].filter(hasFailed);
  return {
    data,
    isError: failed.length > 0,
    error: failed[0]?.error,
    refetch: () => Promise.all(failed.map((query) => query.refetch())),
  };
}

/** A request that is approved between the two reads is in both lists. */
function schedule(scheduled: readonly ApprovalSummary[], pending: readonly ApprovalSummary[]): ApprovalSummary[] {
  const known = new Set(scheduled.map(({ id }) => id));
  return asTheyAreDue([...scheduled, ...pending.filter(({ id, scheduledFor }) => scheduledFor && !known.has(id))]);
}
