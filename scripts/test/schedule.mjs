// Runs steps side by side: each as soon as the steps that it needs are done and a slot is free.

/**
 * Runs `work(name)` for each step, at most `slots` at the same time. `steps` is name → { needs }, in order of preference. Steps that
 * need a failed one still run: they report what is missing.
 */
export async function runSteps(steps, slots, work) {
  const waiting = new Map(Object.entries(steps));
  const running = new Map();
  const isDone = (name) => !waiting.has(name) && !running.has(name);
  while (waiting.size > 0 || running.size > 0) {
    for (const [name, { needs = [] }] of waiting) {
      if (running.size >= slots) break;
      if (!needs.every(isDone)) continue;
      waiting.delete(name);
      running.set(
        name,
        work(name).then(() => running.delete(name)),
      );
    }
    if (running.size === 0) throw new Error(`These steps need each other: ${[...waiting.keys()].join(", ")}.`);
    await Promise.race(running.values());
  }
}
