// The only way to write: `useChange(send)` returns `run(input)`, which resolves to an outcome and never throws.
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { isUnanswered, type Problem, problemOf, writeProblemFrom } from "./problem.js";
import type { components } from "./schema.js";

export type Approval = components["schemas"]["Approval"];

export type Outcome<T> =
  | { kind: "done"; value: T; version: string | undefined }
  /** 202: nothing has changed yet; another person has to approve it. */
  | { kind: "approvalRequested"; approval: Approval }
  /** 412: someone else has changed it since it was read. Read it again and show both versions. */
  | { kind: "conflict"; problem: Problem }
  | { kind: "refused"; problem: Problem };

interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export interface Change<Input, T> {
  run: (input: Input) => Promise<Outcome<T>>;
  pending: boolean;
  /** Why the last run was refused, until the next run or `reset`. */
  problem: Problem | undefined;
  reset: () => void;
}

async function outcomeOf<T>(result: Promise<Result<T>>): Promise<Outcome<Exclude<T, Approval>>> {
  try {
    const { data, error, response } = await result;
    if (response.status === 412) return { kind: "conflict", problem: problemOf(error, response) };
    if (!response.ok) return { kind: "refused", problem: problemOf(error, response) };
    if (response.status === 202) return { kind: "approvalRequested", approval: data as Approval };
    const version = response.headers.get("etag") ?? undefined;
    return { kind: "done", value: data as Exclude<T, Approval>, version };
  } catch (error) {
    return { kind: "refused", problem: writeProblemFrom(error) };
  }
}

/**
 * A write. `send` makes the request with the typed client. Afterwards the queries whose keys start with one of `refresh` are
 * read again; without `refresh`, all of them. So they are without an answer, once the server is back, and after a refusal of what is
 * made `inSteps`: some of them may have been made.
 */
export function useChange<Input, T>(
  send: (input: Input) => Promise<Result<T>>,
  { refresh, inSteps = false }: { refresh?: readonly QueryKey[]; inSteps?: boolean } = {},
): Change<Input, Exclude<T, Approval>> {
  const queries = useQueryClient();
  const mutation = useMutation({
    // Without this, a write would wait for the server to come back instead of failing.
    networkMode: "always",
    mutationFn: async (input: Input) => {
      const outcome = await outcomeOf(send(input));
      const readAgain = () =>
        Promise.all((refresh ?? [[]]).map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
      if (outcome.kind !== "refused") await readAgain();
      // Once the server is back, the page shows whether the change was made.
      else if (inSteps || isUnanswered(outcome.problem)) void readAgain();
      return outcome;
    },
  });
  const problem = mutation.data?.kind === "refused" ? mutation.data.problem : undefined;
  return { run: mutation.mutateAsync, pending: mutation.isPending, problem, reset: mutation.reset };
}
