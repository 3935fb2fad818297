// How long what was read counts as current, and what is asked again.
import { QueryClient } from "@tanstack/react-query";
import { UnreachableError } from "./problem.js";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A server that is away is asked again once it is back; a refusal is an answer.
      retry: (_failures, error) => error instanceof UnreachableError,
      retryDelay: 0,
    },
  },
});
