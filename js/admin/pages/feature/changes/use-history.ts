// Reads the changes of a feature in an environment from the audit log, newest first.
import { useInfiniteQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { ApiError, problemOf } from "../../../api/problem.js";
import type { components } from "../../../api/schema.js";

export type AuditEntry = components["schemas"]["AuditEntry"];

const PAGE_SIZE = 20;

async function fetchPage(resource: string, environmentKey: string, cursor: string | undefined, signal: AbortSignal) {
  const query = { resource, environmentKey, limit: PAGE_SIZE, ...(cursor && { cursor }) };
  const { data, error, response } = await client.GET("/api/v1/audit-log", { params: { query }, signal });
  if (!data) throw new ApiError(problemOf(error, response));
  return data;
}

export function useHistory(project: string, feature: string, environment: string) {
  return useInfiniteQuery({
    queryKey: ["/api/v1/audit-log", "history", project, feature, environment],
    queryFn: ({ pageParam, signal }) =>
      fetchPage(`projects/${project}/features/${feature}`, environment, pageParam || undefined, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}
