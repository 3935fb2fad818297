// What each edge between a server and a page adds to the time of a change: one page has clients of the server, an edge, and an edge of it.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { step } from "../../scripts/progress.mjs";
import { openShop } from "../support/browser/shop.mjs";
import { inBrowser, publish } from "../support/campaigns/browser.mjs";
import { percentile } from "../support/percentile.mjs";
import { startEdgeOf } from "../support/server/edge.mjs";

const COUNT = 1_000;
const FEATURE = "new-checkout";
const NAMES = ["the server", "an edge", "an edge of the edge"];
const MEDIAN_MS = 2;
const P99_MS = 25;

/** Builds, flips a feature, checks the limits, and writes the figures to docs/campaigns/hop.md. */
export async function campaign() {
  await inBrowser("chromium", async (service, browser) => {
    const edges = [];
    try {
      for (const name of NAMES.slice(1)) {
        const { key } = await service.as("administrator", "POST", "/projects/shop/edge-keys", { name });
        edges.push(await startEdgeOf(edges.at(-1)?.base ?? service.base, key));
      }
      const page = await openShop(await browser.newContext(), service);
      const bases = [service, ...edges].map(({ base }) => base);
      const flips = await step(`${COUNT} flips`, () =>
        page.evaluate(flip, {
          bases,
          clientKey: service.clientKey,
          path: service.targeting(FEATURE),
          token: service.token,
          feature: FEATURE,
          count: COUNT,
        }),
      );
      assert.equal(flips.length, COUNT);
      await publish("hop", report(flips, browser.version()));
      for (const hop of hops(flips)) {
        assert.ok(percentile(hop, 0.5) <= MEDIAN_MS, `a hop adds ${percentile(hop, 0.5)} ms (median)`);
        assert.ok(percentile(hop, 0.99) <= P99_MS, `a hop adds ${percentile(hop, 0.99)} ms (p99)`);
      }
    } finally {
      for (const edge of edges.reverse()) await edge.remove();
    }
  });
}

/** In the page. Milliseconds from each flip's REST response to UPDATED_FEATURE, one for each address. */
async function flip({ bases, clientKey, path, token, feature, count }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const clients = await Promise.all(
    bases.map((baseUrl) => {
      const client = FlagService.init(clientKey, { id: "ada" }, { baseUrl });
      return new Promise((resolve) => client.on(FlagService.events.LOADED, () => resolve(client)));
    }),
  );
  const arrived = clients.map(() => () => {});
  clients.forEach((client, index) => {
    client.on(FlagService.events.UPDATED_FEATURE, (features) => arrived[index](features[feature], performance.now()));
  });
  let { enabled } = await (await fetch(path, { headers })).json();
  const flips = [];
  for (let number = 0; number < count; number += 1) {
    enabled = !enabled;
    const updates = arrived.map(
      (_, index) =>
        new Promise((resolve, reject) => {
          const tooLate = setTimeout(() => reject(new Error(`${bases[index]} lost flip ${number}.`)), 10_000);
          arrived[index] = (variant, at) => {
            clearTimeout(tooLate);
            if (variant === (enabled ? "on" : "off")) resolve(at);
            else reject(new Error(`${bases[index]}, flip ${number}: ${variant}`));
          };
        }),
    );
    const answer = await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ enabled }) });
    const answered = performance.now();
    if (!answer.ok) throw new Error(`Flip ${number} was refused: ${answer.status} ${await answer.text()}`);
    flips.push((await Promise.all(updates)).map((at) => at - answered));
  }
  return flips;
}

/** What each edge added, for every flip. */
function hops(flips) {
  return [1, 2].map((place) => flips.map((times) => times[place] - times[place - 1]));
}

function report(flips, chromium) {
  const row = (name, numbers) => {
    const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(numbers, share).toFixed(1));
    return `| ${name} | ${figures.join(" | ")} |`;
  };
  const [first, second] = hops(flips);
  return `# What a hop adds

\`npm run campaign -- hop\`. A page in Chromium ${chromium} switches a feature of the server by REST ${COUNT} times. It has three
clients: of the server, of an edge, and of an edge of that edge. A time is from the REST response to UPDATED_FEATURE, by the page's clock;
what a hop added is the difference of two clients for the same flip. Debug build, as in the demo, SQLite, loopback,
${cpus().length} cores for all of it.

| milliseconds | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|
${NAMES.map((name, place) => {
  const times = flips.map((flip) => flip[place]);
  return row(`REST response → UPDATED_FEATURE through ${name}`, times);
}).join("\n")}
${row("added by the edge", first)}
${row("added by the edge of the edge", second)}

Bounds for each hop: ${MEDIAN_MS} ms (median) and ${P99_MS} ms (p99). All ${COUNT * NAMES.length} updates arrived, with the right variant.
`;
}
