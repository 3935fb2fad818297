// The only way to read: `useQuery(resource(path, params))` for one resource, `useQuery(wholeList(path, params))` for a list,
// `useQuery(growingList(path, params))` for a long list whose beginning is shown before the rest is there.
import { queryOptions, experimental_streamedQuery as streamedQuery } from "@tanstack/react-query";
import { painted } from "../painted.js";
import { client } from "./client.js";
import { ApiError, problemOf } from "./problem.js";
import type { paths } from "./schema.js";

/** The maximum of the server. */
const PAGE_SIZE = 200;

type Success<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Body } } } }
  ? Body
  : never;

/** Paths that can be read. */
type Readable = {
  [P in keyof paths]: paths[P] extends { get: { responses: unknown } } ? P : never;
}[keyof paths];
/** Paths that return a list in pages. */
export type Listed = { [P in Readable]: Success<paths[P]["get"]> extends { items: unknown[] } ? P : never }[Readable];

type Params<P extends Readable> = paths[P]["get"] extends { parameters: infer All extends object }
  ? { [Name in keyof Pick<All, keyof All & ("path" | "query")>]: All[Name] }
  : never;
type Arguments<P extends Readable> =
  Record<never, never> extends Params<P> ? [params?: Params<P> | undefined] : [params: Params<P>];

export type Body<P extends Readable> = Success<paths[P]["get"]>;
export type Item<P extends Listed> = Body<P> extends { items: (infer Each)[] } ? Each : never;

/** A resource, and its version for `If-Match`. */
export interface Versioned<T> {
  value: T;
  version: string | undefined;
}

async function read(path: string, params: unknown, signal: AbortSignal): Promise<Versioned<unknown>> {
  // The types of openapi-fetch do not support a path that is a type parameter.
  const { data, error, response } = await client.GET(path as never, { params, signal } as never);
  if (!response.ok) throw new ApiError(problemOf(error, response));
  return { value: data, version: response.headers.get("etag") ?? undefined };
}

/** One resource, with its version. */
export function resource<P extends Readable>(path: P, ...[params]: Arguments<P>) {
  return queryOptions({
    queryKey: [path, params] as const,
    queryFn: async ({ signal }) => (await read(path, params, signal)) as Versioned<Body<P>>,
  });
}

/** A complete list, read page by page. */
export function wholeList<P extends Listed>(path: P, ...[params]: Arguments<P>) {
  return queryOptions({
    queryKey: [path, params, "whole"] as const,
    queryFn: async ({ signal }) => {
      const items: Item<P>[] = [];
      for await (const page of pages(path, params, signal)) items.push(...page.items);
      return items;
    },
  });
}

/** A list as far as it has been read. */
export interface GrowingList<T> {
  items: readonly T[];
  isComplete: boolean;
}

/** A list that grows at its end while it is read for the first time. Later it is replaced as a whole. */
export function growingList<P extends Listed>(path: P, ...[params]: Arguments<P>) {
  return queryOptions({
    queryKey: [path, params, "growing"] as const,
    queryFn: streamedQuery({
      streamFn: ({ signal }) => oneThenOthers(pages(path, params, signal)),
      refetchMode: "replace",
      initialValue: { items: [], isComplete: false } as GrowingList<Item<P>>,
      reducer: ({ items }, page) => ({ items: [...items, ...page.items], isComplete: !page.nextCursor }),
    }),
  });
}

/** Lets the first page be painted before the others, if there are any, are read: reading and rendering them would delay it. */
async function* oneThenOthers<T>(all: AsyncIterable<ListPage<T>>): AsyncGenerator<ListPage<T>> {
  let isFirst = true;
  for await (const page of all) {
    yield page;
    if (isFirst && page.nextCursor) await painted();
    isFirst = false;
  }
}

interface Reading {
  isError: boolean;
  data?: unknown;
  error: unknown;
}

/**
 * Whether there is nothing to show. A read in the background that fails leaves what was read before, and what people have selected and
 * typed; only what is gone, or no longer permitted, is no longer shown.
 */
export function hasFailed({ isError, data, error }: Reading): boolean {
  if (!isError) return false;
  const isGone = error instanceof ApiError && [403, 404].includes(error.problem.status);
  return isGone || data === undefined || isIncomplete(data);
}

/** A list that grows, and whose rest could not be read. */
function isIncomplete(data: unknown): boolean {
  return typeof data === "object" && data !== null && "isComplete" in data && !data.isComplete;
}

interface ListPage<T> {
  items: T[];
  nextCursor?: string | null;
}

async function* pages<P extends Listed>(
  path: P,
  params: unknown,
  signal: AbortSignal,
): AsyncGenerator<ListPage<Item<P>>> {
  const base = (params ?? {}) as { query?: object };
  let cursor: string | undefined;
  do {
    const query = { ...base.query, limit: PAGE_SIZE, ...(cursor && { cursor }) };
    const page = (await read(path, { ...base, query }, signal)).value as ListPage<Item<P>>;
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
