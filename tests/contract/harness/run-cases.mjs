// Runs the cases that an SDK has the capabilities for, several at a time, and collects one result for each case.
import { reasonToSkip } from "./cases.mjs";
import { RealServer } from "./real-server.mjs";

const DEFAULTS = { host: "127.0.0.1", timeoutMs: 10_000, parallel: 6, suppressions: new Map(), report: () => {} };

/**
 * Resolves with a result for each case, in their order: `{ name, outcome, reason?, ms }`. `outcome` is `passed`, `failed`, `skipped` or
 * `suppressed`. `report(result)` is called for each as it becomes known. `server` is a `RealServer` that several runs share; with
 * `null`, its cases are skipped. `timeoutMs` is how long a step waits, `readyMs` the same for the step `ready`.
 */
export async function runCases(cases, sdk, options = {}) {
  const { host, timeoutMs, parallel, suppressions, report, server = new RealServer() } = { ...DEFAULTS, ...options };
  const { readyMs = timeoutMs } = options;
  const results = new Map();
  const run = async (testCase) => {
    const skipped = testCase.onServer && !server ? "without the real server" : reasonToSkip(testCase, sdk);
    const result = { name: testCase.name, ms: 0 };
    const suppressed = suppressions.get(testCase.name);
    if (skipped) Object.assign(result, { outcome: "skipped", reason: skipped });
    else if (suppressed) Object.assign(result, { outcome: "suppressed", reason: suppressed });
    else Object.assign(result, await attempt(testCase, { sdk, host, timeoutMs, readyMs, server }));
    results.set(testCase, result);
    report(result);
  };
  try {
    const together = cases.filter(({ exclusive }) => !exclusive);
    const work = async () => {
      while (together.length > 0) await run(together.shift());
    };
    await Promise.all(Array.from({ length: parallel }, work));
    // They replace the SDK's clock, or stop the server.
    for (const testCase of cases.filter(({ exclusive }) => exclusive)) await run(testCase);
  } finally {
    if (options.server === undefined) await server.remove();
  }
  return cases.map((testCase) => results.get(testCase));
}

async function attempt(testCase, context) {
  const startedAt = performance.now();
  const outcome = await testCase.run(context).then(
    () => ({ outcome: "passed" }),
    (error) => ({ outcome: "failed", reason: error.message }),
  );
  return { ...outcome, ms: Math.round(performance.now() - startedAt) };
}
