// The one way to write: `useChange(send)` gives `run(input)`, whose outcome is a value, and never an exception.
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Problem, problemFrom, problemOf } from "./problem.js";
import type { components } from "./schema.js";

export type Approval = components["schemas"]["Approval"];

export type Outcome<T> =
  | { kind: "done"; value: T; version: string | undefined }
  /** 202: nothing has changed yet, somebody else has to approve it. */
  | { kind: "approvalRequested"; approval: Approval }
  /** 412: somebody else has changed it since it was read. Read it again and show both sides. */
  | { kind: "conflict"; problem: Problem }
  | { kind: "refused"; problem: Problem };

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export interface Change<Input, T> {
  run: (input: Input) => Promise<Outcome<T>>;
  pending: boolean;
  /** Why the last run was refused, until the next one or `reset`. */
  problem: Problem | undefined;
  reset: () => void;
}

async function outcomeOf<T>(answer: Promise<Answer<T>>): Promise<Outcome<Exclude<T, Approval>>> {
  try {
    const { data, error, response } = await answer;
    if (response.status === 412) return { kind: "conflict", problem: problemOf(error, response) };
    if (!response.ok) return { kind: "refused", problem: problemOf(error, response) };
    if (response.status === 202) return { kind: "approvalRequested", approval: data as Approval };
    const version = response.headers.get("etag") ?? undefined;
    return { kind: "done", value: data as Exclude<T, Approval>, version };
  } catch (error) {
    return { kind: "refused", problem: problemFrom(error) };
  }
}

/**
 * A write. `send` makes the request of the typed client. Afterwards the queries whose keys begin with one of `refresh`
 * are read again; all of them when it is left out.
 */
export function useChange<Input, T>(
  send: (input: Input) => Promise<Answer<T>>,
  { refresh }: { refresh?: readonly QueryKey[] } = {},
): Change<Input, Exclude<T, Approval>> {
  const queries = useQueryClient();
  const mutation = useMutation({
    // Not held back while the server is away: whoever pressed the button is told at once.
    networkMode: "always",
    mutationFn: async (input: Input) => {
      const outcome = await outcomeOf(send(input));
      if (outcome.kind !== "refused") {
        const keys = refresh ?? [[]];
        await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })));
      }
      return outcome;
    },
  });
  const problem = mutation.data?.kind === "refused" ? mutation.data.problem : undefined;
  return { run: mutation.mutateAsync, pending: mutation.isPending, problem, reset: mutation.reset };
}
