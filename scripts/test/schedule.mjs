// Runs steps side by side: each as soon as the steps that it needs are done and enough cores are free.

/**
 * Runs `work(name)` for each step. `steps` is name → { needs, cores }, in order of preference; `cores` are all there are. Steps that
 * need a failed one still run: they report what is missing.
 */
export async function runSteps(steps, cores, work) {
  const waiting = new Map(Object.entries(steps));
  const running = new Map();
  const isDone = (name) => !waiting.has(name) && !running.has(name);
  while (waiting.size > 0 || running.size > 0) {
    for (const [name, { needs = [], cores: wanted }] of waiting) {
      const used = [...running.values()].reduce((sum, { wanted }) => sum + wanted, 0);
      const fits = running.size === 0 || used + wanted <= cores;
      if (!fits || !needs.every(isDone)) continue;
      waiting.delete(name);
      running.set(name, { wanted, ended: work(name).then(() => running.delete(name)) });
    }
    if (running.size === 0) throw new Error(`These steps need each other: ${[...waiting.keys()].join(", ")}.`);
    await Promise.race([...running.values()].map(({ ended }) => ended));
  }
}
