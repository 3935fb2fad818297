// When the browser has painted what is rendered, and when it is idle.

/** Calls back once the browser is idle, or soon in Safari, which has no idle callbacks. */
export const whenIdle: (callback: () => void) => void = globalThis.requestIdleCallback ?? setTimeout;

/** Resolves once what is rendered now is painted and the browser is idle. A hidden window is not painted: there it resolves at once. */
export function painted(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => whenIdle(resolve)));
}
