/**
 * A test that waits this long for something hangs. It is far longer than a busy machine needs, because it only ends tests that would
 * never end. A test that proves how soon something happens asserts that itself.
 */
export const HANG_TIMEOUT_MS = 300_000;
