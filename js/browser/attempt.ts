// Calls that may throw.

/** The result of a call; `undefined` if it throws. */
export function attempt<Result>(call: () => Result, onError?: (error: unknown) => void): Result | undefined {
  try {
    return call();
  } catch (error) {
    onError?.(error);
    return undefined;
  }
}
