// 200 flips of a feature: how long each takes to reach an open page, and that none is lost.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { step } from "../../scripts/progress.mjs";
import { openShop } from "../support/browser/shop.mjs";
import { inBrowser, publish } from "../support/campaigns/browser.mjs";
import { percentile } from "../support/percentile.mjs";
import { flips } from "../support/server/flips.mjs";

const COUNT = 200;
const MEDIAN_MS = 25;
const P99_MS = 100;

/** Builds, flips, checks the limits, and writes the figures to docs/campaigns/flips.md. */
export async function campaign() {
  await inBrowser("chromium", async (service, browser) => {
    const page = await openShop(await browser.newContext(), service);
    const records = await step(`${COUNT} flips`, () => flips(page, service, "new-checkout", COUNT));
    assert.equal(records.length, COUNT);
    for (const { enabled, features } of records) assert.deepEqual(features, { "new-checkout": enabled ? "on" : "off" });
    await publish("flips", report(records, browser.version()));
    const afterAnswer = records.map((record) => record.afterAnswer);
    assert.ok(percentile(afterAnswer, 0.5) < MEDIAN_MS, `the median is not under ${MEDIAN_MS} ms`);
    assert.ok(percentile(afterAnswer, 0.99) < P99_MS, `p99 is not under ${P99_MS} ms`);
  });
}

function report(records, chromium) {
  const row = (name, numbers) => {
    const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(numbers, share).toFixed(1));
    return `| ${name} | ${figures.join(" | ")} |`;
  };
  return `# ${COUNT} flips of a feature, seen by an open page

\`npm run campaign -- flips\`. The page itself switches the feature over REST and listens for UPDATED_FEATURE, so that one clock
measures both ends. An event before the REST response counts as a negative number of milliseconds.
Debug build of the server, as in the demo, SQLite, loopback, Chromium ${chromium}, ${cpus().length} cores.

| milliseconds | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|
${row(
  "REST response → UPDATED_FEATURE",
  records.map((record) => record.afterAnswer),
)}
${row(
  "REST request → UPDATED_FEATURE",
  records.map((record) => record.afterRequest),
)}

${records.length} of ${COUNT} arrived, each naming exactly the flipped feature.
`;
}
