// Calls of the browser that may throw.

/** The result of a call; `undefined` if it throws. */
export function attempt<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
