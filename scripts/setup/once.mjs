// Installations that several steps ask for at the same time happen once.

/** A function that does the work at its first call for an argument; later calls get the same promise. */
export function once(work) {
  const results = new Map();
  return (argument) => {
    if (!results.has(argument)) results.set(argument, work(argument));
    return results.get(argument);
  };
}
