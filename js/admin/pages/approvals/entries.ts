// What is one row of a list: a request, or all that one copy requested and that are in the same state.
import type { ApprovalSummary } from "./approvals.js";

type Request = Pick<ApprovalSummary, "id" | "copyId" | "state">;

export interface Entry<R> {
  first: R;
  requests: readonly R[];
}

/** Each at the place of its first request. `separate`: each request is an entry of its own, also those of one copy. */
export function entriesOf<R extends Request>(requests: readonly R[], separate: boolean): Entry<R>[] {
  const groups = new Map<string, [R, ...R[]]>();
  for (const request of requests) {
    const { id, copyId, state } = request;
    const key = copyId && !separate ? `${copyId} ${state}` : id;
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return [...groups.values()].map((requests) => ({ first: requests[0], requests }));
}

/** The entries that contain any of these requests. */
export function entriesWith<R>(requests: readonly R[], entries: readonly Entry<R>[]): Entry<R>[] {
  const wanted = new Set(requests);
  return entries.filter(({ requests }) => requests.some((request) => wanted.has(request)));
}
