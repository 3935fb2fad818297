// Requests that a test holds for as long as it needs.

/** In the page: no request of the client times out. It aborts one after ten seconds. */
export function withoutRequestTimeouts() {
  const REQUEST_MS = 10_000;
  const { setTimeout } = window;
  window.setTimeout = (call, ms, ...rest) => (ms === REQUEST_MS ? undefined : setTimeout(call, ms, ...rest));
}
