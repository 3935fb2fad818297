// Runs the cases that an SDK has the capabilities for, several at a time, and collects one result for each case.
import { startService } from "../../support/server/service.mjs";
import { reasonToSkip } from "./cases.mjs";

const DEFAULTS = { host: "127.0.0.1", timeoutMs: 10_000, parallel: 6, suppressions: new Map(), report: () => {} };

/**
 * Resolves with a result for each case, in their order: `{ name, outcome, reason?, ms }`. `outcome` is `passed`, `failed`, `skipped` or
 * `suppressed`. `report(result)` is called for each as it becomes known. Without `withServer`, cases with the real server are skipped.
 */
export async function runCases(cases, sdk, options = {}) {
  const { host, timeoutMs, parallel, suppressions, report, withServer = true } = { ...DEFAULTS, ...options };
  let server;
  const startServer = () => {
    server ??= startService(["--requests-per-second", "1000"]);
    return server;
  };
  const results = new Map();
  const run = async (testCase) => {
    const needsServer = testCase.name.startsWith("server/") && !withServer;
    const skipped = needsServer ? "without the real server" : reasonToSkip(testCase, sdk);
    const result = { name: testCase.name, ms: 0 };
    const suppressed = suppressions.get(testCase.name);
    if (skipped) Object.assign(result, { outcome: "skipped", reason: skipped });
    else if (suppressed) Object.assign(result, { outcome: "suppressed", reason: suppressed });
    else Object.assign(result, await attempt(testCase, { sdk, host, timeoutMs, server: startServer }));
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
    await (await server)?.remove();
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
