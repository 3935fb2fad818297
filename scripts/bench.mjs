// Speed of the browser client in Node and in Chromium, beside the least that any client pays, and of the Node SDK, in one run.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { features, SOURCES } from "./bench/measured.mjs";
import { launchChromium } from "./browsers.mjs";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `npm run bench -- [--quick]

Measures evaluate(key).isOn() beside a Map that holds objects, and the time from the call of init to the first right
answers from defaults (with and without offline), bootstrap and cache, in Node and in Chromium, and in Chromium until the
wasm is compiled and asks the service. Measures the Node SDK's evaluation of a feature with ten rules, for the same user and
for fresh ones. It fails when an evaluation takes more than one and a half times that of the Map, or the Node SDK over 2 µs
for the same user or over 6 µs for a fresh one.
--quick  fewer rounds
`;

/** The most microseconds that the Node SDK may take for a feature with ten rules. */
const MOST_NODE_SDK = { same: 2, fresh: 6 };

/** The most that an evaluation may take, in times of the Map. */
const MOST_RATIO = 1.5;
const DIST = join(root, "dist", "flagservice-client", "dist");

async function main([argument]) {
  if (argument !== undefined && argument !== "--quick") {
    process.stdout.write(argument === "--help" ? HELP : `npm run bench takes no argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const rounds = argument ? 5 : 15;
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  await step("Node SDK", (note) => run("node", ["scripts/build-node.mjs"], { cwd: root, note }));
  const node = await step("Node", () => inNode(rounds));
  const chromium = await step("Chromium", () => inChromium(rounds));
  const sdk = await step("Node SDK, measured", async () =>
    JSON.parse(await run("node", [join(root, "scripts", "bench", "node-sdk.mjs"), String(rounds)])),
  );
  const ratios = [];
  process.stdout.write(`\n${row("median", "client, ns", "Map, ns", "ratio", "load, ms")}\n`);
  for (const [name, { client, floor, load }] of Object.entries({ Node: node, Chromium: chromium })) {
    // The ratio of two that were measured one after the other is steadier than that of the medians.
    const ratio = median(client.map((ns, round) => ns / floor[round]));
    ratios.push(ratio);
    process.stdout.write(`${row(name, ...[median(client), median(floor), ratio, median(load)].map(text))}\n`);
  }
  process.stdout.write(`\n${row("init, ms", ...Object.keys(chromium.init))}\n`);
  for (const [name, { init }] of Object.entries({ Node: node, Chromium: chromium })) {
    process.stdout.write(`${row(name, ...Object.values(init).map((times) => text(median(times))))}\n`);
  }
  process.stdout.write(`${row("request, ms")}${text(median(chromium.request)).padStart(12)} in Chromium\n`);
  process.stdout.write(`\n${row("Node SDK, µs", "same user", "fresh user")}\n`);
  process.stdout.write(`${row("10 rules", text(median(sdk.same)), text(median(sdk.fresh)))}\n`);
  process.stdout.write(
    "load: script start to the end of its evaluation; init: call of init to the first right answers, by where they come from;\n" +
      "request: script start, with init at its end, until the wasm is compiled and asks the service\n",
  );
  if (Math.max(...ratios) > MOST_RATIO)
    throw new Error(`An evaluation takes over ${MOST_RATIO} times as long as a Map.`);
  const late = Object.keys(MOST_NODE_SDK).filter((kind) => median(sdk[kind]) > MOST_NODE_SDK[kind]);
  if (late.length > 0) throw new Error(`The Node SDK takes too long for ${late.join(" and ")} users.`);
}

async function inNode(rounds) {
  const measure = async (...args) => {
    const output = await run("node", [join(root, "scripts", "bench", "node.mjs"), address("index.mjs"), ...args]);
    return JSON.parse(output);
  };
  const { client, floor } = await measure(String(rounds));
  const load = [];
  const init = { offline: [] };
  for (let round = 0; round < rounds; round++) {
    const fresh = await measure();
    load.push(fresh.load);
    init.offline.push(fresh.init);
  }
  return { client, floor, init, load };
}

async function inChromium(rounds) {
  const bundle = await build({
    entryPoints: [join(root, "scripts", "bench", "measured.mjs")],
    ...{ bundle: true, write: false, format: "iife", globalName: "measured" },
  });
  const measured = bundle.outputFiles[0].text;
  const client = await readFile(join(DIST, "flagservice.min.js"), "utf8");
  const service = await serve();
  const browser = await launchChromium();
  const fresh = async (context, work, argument) => {
    const page = await context.newPage();
    await page.goto(service.address);
    await page.addScriptTag({ content: measured });
    await page.addScriptTag({
      content: `window.began = performance.now();${client};window.load = performance.now() - began;${argument?.then ?? ""}`,
    });
    const result = await page.evaluate(work, argument);
    await page.close();
    return result;
  };
  try {
    const context = await browser.newContext();
    const evaluations = await fresh(context, (rounds) => measured.evaluations(FlagService, rounds), rounds);
    const load = [];
    const request = [];
    const init = Object.fromEntries(Object.keys(SOURCES).map((source) => [source, []]));
    for (let round = 0; round < rounds; round++) {
      for (const source of Object.keys(SOURCES)) {
        const context = await browser.newContext();
        if (source === "cache") await fresh(context, () => measured.visit(FlagService));
        const first = (source) => ({ load, init: measured.firstAnswer(FlagService, source) });
        const times = await fresh(context, first, source);
        load.push(times.load);
        init[source].push(times.init);
        await context.close();
      }
      const context = await browser.newContext();
      const then = "window.asked = measured.firstRequest(FlagService, began)";
      request.push(await fresh(context, () => asked, { then }));
      await context.close();
    }
    return { ...evaluations, init, load, request };
  } finally {
    await browser.close();
    service.close();
  }
}

/** An empty page whose clock is fine enough, and a service that answers a load. */
async function serve() {
  const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
  const answer = JSON.stringify({ features: features(), since: "00000000000000aa.1.1", token: "t" });
  const server = createServer((request, response) => {
    if (request.method === "POST") response.end(answer);
    else response.writeHead(200, { "content-type": "text/html", ...headers }).end("<!doctype html>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

function address(name) {
  return pathToFileURL(join(DIST, name)).href;
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function text(number) {
  return number.toFixed(2);
}

function row(name, ...cells) {
  return `${name.padEnd(12)}${cells.map((cell) => cell.padStart(12)).join("")}`;
}

script(main);
