// How long to wait after a failure: exponential with full jitter, so that many services come back spread over time.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Milliseconds to wait after so many failures in a row. */
export function backoff(failures: number): number {
  return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 5));
}
