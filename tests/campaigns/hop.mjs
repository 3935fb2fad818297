// What each edge between a server and a page adds to the time of a change: pages of the server, of an edge, and of an edge of that edge.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { step } from "../../scripts/progress.mjs";
import { openShop } from "../support/browser/shop.mjs";
import { inBrowser, publish } from "../support/campaigns/browser.mjs";
import { percentile } from "../support/percentile.mjs";
import { newEdgeKeys, startEdgeOf } from "../support/server/edge.mjs";
import { flips } from "../support/server/flips.mjs";

/** Each round opens a page for each address in turn, so that a change of the machine's pace meets all of them. */
const ROUNDS = 20;
const FLIPS_PER_ROUND = 50;
/** The first flips of a page, in which it compiles what it runs. They are not counted. */
const WARM_UP = 5;
const FEATURE = "new-checkout";
const NAMES = ["the server", "an edge", "an edge of the edge"];
const MEDIAN_MS = 2;
const P99_MS = 25;

/** Builds, flips a feature, checks the limits, and writes the figures to docs/campaigns/hop.md. */
export async function campaign() {
  await inBrowser("chromium", async (service, browser) => {
    const edges = [];
    try {
      const keys = await newEdgeKeys(service, NAMES.slice(1));
      for (const key of keys) edges.push(await startEdgeOf(edges.at(-1)?.base ?? service.base, key));
      const bases = [service, ...edges].map(({ base }) => base);
      const times = bases.map(() => []);
      await step(`${ROUNDS} rounds of ${FLIPS_PER_ROUND} flips through each`, async (note) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [place, base] of bases.entries()) times[place].push(...(await measure(service, browser, base)));
          note(`${round + 1} of ${ROUNDS}`);
        }
      });
      await publish("hop", report(times, browser.version()));
      for (const place of [1, 2]) {
        const added = (share) => percentile(times[place], share) - percentile(times[place - 1], share);
        assert.ok(added(0.5) <= MEDIAN_MS, `${NAMES[place]} adds ${added(0.5)} ms (median)`);
        assert.ok(added(0.99) <= P99_MS, `${NAMES[place]} adds ${added(0.99)} ms (p99)`);
      }
    } finally {
      for (const edge of edges.reverse()) await edge.remove();
    }
  });
}

/** Milliseconds from each REST response of the server to UPDATED_FEATURE in a page whose client has this address. */
async function measure(service, browser, base) {
  const context = await browser.newContext();
  const page = await openShop(context, service);
  await page.evaluate(
    ([clientKey, baseUrl]) => {
      window.shop.client.close();
      window.shop.client = FlagService.init(clientKey, { id: "ada" }, { baseUrl });
      return new Promise((resolve) => window.shop.client.on(FlagService.events.LOADED, resolve));
    },
    [service.clientKey, base],
  );
  const records = await flips(page, service, FEATURE, WARM_UP + FLIPS_PER_ROUND);
  await context.close();
  assert.equal(records.length, WARM_UP + FLIPS_PER_ROUND);
  for (const { enabled, features } of records) assert.deepEqual(features, { [FEATURE]: enabled ? "on" : "off" });
  return records.slice(WARM_UP).map(({ afterAnswer }) => afterAnswer);
}

function report(times, chromium) {
  const count = ROUNDS * FLIPS_PER_ROUND;
  const row = (name, figures) => `| ${name} | ${figures.map((figure) => figure.toFixed(1)).join(" | ")} |`;
  const figures = times.map((numbers) => [0.5, 0.9, 0.99, 1].map((share) => percentile(numbers, share)));
  const added = (place) => figures[place].map((figure, index) => figure - figures[place - 1][index]);
  return `# What a hop adds

\`npm run campaign -- hop\`. A page in Chromium ${chromium} switches a feature of the server by REST, and its client follows the
server, an edge, or an edge of that edge; all three run all the time. A time is from the REST response to UPDATED_FEATURE, by the page's
clock; an event before the response counts as a negative number. ${count} flips through each, in ${ROUNDS} rounds. Debug build, as in the
demo, SQLite, loopback, ${cpus().length} cores for all of it.

| milliseconds | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|
${NAMES.map((name, place) => row(`REST response → UPDATED_FEATURE through ${name}`, figures[place])).join("\n")}
${row("added by the edge", added(1))}
${row("added by the edge of the edge", added(2))}

Bounds for what each hop adds: ${MEDIAN_MS} ms (median) and ${P99_MS} ms (p99). All ${count * NAMES.length} updates arrived, with the \
right variant.
`;
}
