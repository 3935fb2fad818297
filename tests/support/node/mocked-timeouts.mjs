// Timeouts that a test moves on with `t.mock.timers.tick`.

/**
 * Mocks `setTimeout` until the test ends. `fetch` may have set timers before: the mock alone would not clear them, and they throw
 * once their connection has been collected.
 */
export function mockTimeouts(t) {
  const { clearTimeout } = globalThis;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const clearMocked = globalThis.clearTimeout;
  globalThis.clearTimeout = (timer) => {
    clearTimeout(timer);
    clearMocked(timer);
  };
}

/** Does `work` without its timeouts, such as the three seconds that a client has to send the last of its goals. */
export async function withoutTimeouts(t, work) {
  mockTimeouts(t);
  await work();
  t.mock.timers.reset();
}
