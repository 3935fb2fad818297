// The last change that is scheduled for a targeting. A new one is made for what that one leaves, and has to be later.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { resource } from "../../../api/queries.js";
import { dueIn, waitingChanges } from "../feature.js";
import type { TargetingContext } from "../targeting-context.js";

/** Null if nothing is scheduled. Somebody waits for it in a dialog, so it fails if the server can't be reached. */
export function lastScheduled({ project, feature, environment }: TargetingContext, queries: QueryClient) {
  const now = { staleTime: 0, retry: false };
  const read = async () => {
    const [scheduled, pending] = await Promise.all([
      queries.fetchQuery({ ...waitingChanges(project, feature.key, "scheduled"), ...now }),
      queries.fetchQuery({ ...waitingChanges(project, feature.key, "pending"), ...now }),
    ]);
    const last = dueIn(environment.key, [...scheduled, ...pending]).at(-1);
    if (!last) return null;
    const path = { projectKey: project, approvalId: last.id };
    const approval = resource("/api/v1/projects/{projectKey}/approvals/{approvalId}", { path });
    return (await queries.fetchQuery({ ...approval, ...now })).value;
  };
  return queryOptions({ queryKey: ["last scheduled", project, feature.key, environment.key], queryFn: read, ...now });
}
