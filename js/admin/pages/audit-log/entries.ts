// The entries of the audit log, page by page.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { ApiError, problemOf } from "../../api/problem.js";
import type { components } from "../../api/schema.js";
import type { AuditFilter } from "./filter.js";

export type Entry = components["schemas"]["AuditEntry"];

const PATH = "/api/v1/audit-log";
const PAGE = 50;

export function useEntries(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: [PATH, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...asked(filter), limit: PAGE, ...(pageParam && { cursor: pageParam }) };
      const { data, error, response } = await client.GET(PATH, { params: { query }, signal });
      if (!data) throw new ApiError(problemOf(error, response));
      return data;
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** What REST is asked: from the first day's beginning to the last day's end, where the reader is. */
function asked({ user, resource, from, to }: AuditFilter) {
  return {
    ...(user && { userId: user }),
    ...(resource && { resource }),
    ...(from && { from: midnight(from, 0) }),
    ...(to && { to: midnight(to, 1) }),
  };
}

/** The beginning of a day like `2026-11-21`, or of one that is some days later. */
function midnight(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
