// Ten tabs that share a stream, of which the holder is killed 100 times: how long a change takes to reach the other nine.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { step } from "../../scripts/progress.mjs";
import { killHolders } from "../support/browser/shared-stream.mjs";
import { inBrowser, publish } from "../support/campaigns/browser.mjs";
import { percentile } from "../support/percentile.mjs";

const TABS = 10;
const ROUNDS = 100;
const LONGEST_MS = 1_000;

/** Builds, kills, checks the limit, and writes the figures to docs/campaigns/tabs.md. */
export async function campaign() {
  await inBrowser("full-chromium", async (service, browser) => {
    const context = await browser.newContext();
    const records = await step(`${ROUNDS} rounds`, () => killHolders(context, service, { tabs: TABS, rounds: ROUNDS }));
    await publish("tabs", report(records, browser.version()));
    assert.equal(records.length, ROUNDS);
    assert.ok(percentile(records.flat(), 1) <= LONGEST_MS, `a change took more than ${LONGEST_MS} ms`);
  });
}

function report(records, chromium) {
  const times = records.flat();
  const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(times, share).toFixed(0));
  return `# Ten tabs, one stream, and a holder that is killed

\`npm run campaign -- tabs\`. Ten tabs of the demo shop in one browser share one stream. In each of ${ROUNDS} rounds the process of the tab
that holds the stream is killed, a feature changes at once, and another tab is opened. The times are from the REST response until a tab
told UPDATED_FEATURE. Debug build of the server, as in the demo, SQLite, loopback, Chromium ${chromium}, ${cpus().length} cores.

| milliseconds | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|
| REST response → UPDATED_FEATURE in each of the other nine tabs | ${figures.join(" | ")} |

${times.length} of ${ROUNDS * (TABS - 1)} arrived, each naming exactly the changed feature. Before each round the server had one
open stream.
`;
}
