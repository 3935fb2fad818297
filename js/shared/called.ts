// Calls of the application's functions, which may throw.

/** The result of a call. `failed` gets what it throws, or rejects with if it is async: an unhandled rejection ends a process of Node. */
export function called<Result>(call: () => Result, failed: (error: unknown) => void): Result | undefined {
  let result: Result | undefined;
  try {
    result = call();
    (result as Partial<Promise<unknown>> | undefined)?.then?.(undefined, failed);
  } catch (error) {
    failed(error);
  }
  return result;
}
