// The delay after a failure: exponential backoff with full jitter, so that many services do not reconnect at the same time.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Milliseconds to wait after this many failures in a row. */
export function backoff(failures: number): number {
  return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 5));
}
