// The entries of the audit log, loaded page by page.
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { ApiError, problemOf } from "../../api/problem.js";
import type { AuditFilter } from "./filter.js";
import { loadNames } from "./names.js";

const PATH = "/api/v1/audit-log";
const PAGE_SIZE = 50;

export function useEntries(filter: AuditFilter) {
  const queries = useQueryClient();
  return useInfiniteQuery({
    queryKey: [PATH, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...queryOf(filter), limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) };
      const { data, error, response } = await client.GET(PATH, { params: { query }, signal });
      if (!data) throw new ApiError(problemOf(error, response));
      await loadNames(queries, data.items);
      return data;
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** The query for REST: from the start of the first day to the end of the last, in the reader's time zone. */
function queryOf({ person, project, feature, environment, kind, from, to }: AuditFilter) {
  return {
    ...(person && { userId: person }),
    ...(project && { resource: `projects/${project}${feature && `/features/${feature}`}` }),
    ...(environment && { environmentKey: environment }),
    ...(kind && { action: kind }),
    ...(from && { from: startOfDay(from) }),
    ...(to && { to: startOfDay(to, 1) }),
  };
}

/** The start of a day such as `2026-11-21`, or of a later day. */
function startOfDay(day: string, daysLater = 0): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}
