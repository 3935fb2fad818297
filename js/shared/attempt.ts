// Calls that may throw.

/**
 * The result of a call; `undefined` if it throws. `onError` gets what it throws, or what it rejects with if it is async: an unhandled
 * rejection ends a process of Node.
 */
export function attempt<Result>(call: () => Result, onError?: (error: unknown) => void): Result | undefined {
  let result: Result | undefined;
  try {
    result = call();
    if (onError) (result as Partial<Promise<unknown>> | undefined)?.catch?.(onError);
  } catch (error) {
    onError?.(error);
  }
  return result;
}
