// How long data stays fresh, and which queries are retried.
import { QueryClient } from "@tanstack/react-query";
import { UnreachableError } from "./problem.js";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A retry waits until the server is back. Refused requests are not retried.
      retry: (_failures, error) => error instanceof UnreachableError,
      retryDelay: 0,
    },
  },
});
