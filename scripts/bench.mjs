// Measures the speed of the browser client in Node and Chromium, compared with a plain Map, and of the Node SDK.
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

Measures in Node and Chromium how long evaluate(key).isOn() takes compared with a Map of objects, and how long init takes until
the first correct evaluations from defaults (online and offline), bootstrap and cache. In Chromium also measures the time until
the wasm is compiled and sends its first request. Measures the Node SDK with a feature of ten rules, for the same user and for
fresh users. Fails if an evaluation takes more than 1.5 times as long as the Map, or the Node SDK more than 2 µs for the same user
or 6 µs for a fresh one.
--quick  fewer rounds
`;

/** The limits of the Node SDK for a feature with ten rules, in microseconds. */
const MAX_NODE_SDK_US = { same: 2, fresh: 6 };

/** The limit of an evaluation, as a multiple of the Map's time. */
const MAX_RATIO = 1.5;
const DIST = join(root, "dist", "flagservice-client", "dist");

async function main([argument]) {
  if (argument !== undefined && argument !== "--quick") {
    process.stdout.write(argument === "--help" ? HELP : `Unknown argument ${argument}.\n\n${HELP}`);
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
    // Ratios within a round vary less than the ratio of the medians.
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
    "load: running the script; init: from the call of init to the first correct evaluations, by their source;\n" +
      "request: from the start of a script with init until the wasm is compiled and sends a request\n",
  );
  if (Math.max(...ratios) > MAX_RATIO)
    throw new Error(`An evaluation takes more than ${MAX_RATIO} times as long as a Map.`);
  const slow = Object.keys(MAX_NODE_SDK_US).filter((kind) => median(sdk[kind]) > MAX_NODE_SDK_US[kind]);
  if (slow.length > 0) throw new Error(`The Node SDK takes too long for ${slow.join(" and ")} users.`);
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
      content: `window.startedAt = performance.now();${client};window.load = performance.now() - startedAt;${argument?.then ?? ""}`,
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
      const then = "window.firstRequest = measured.firstRequest(FlagService, startedAt)";
      request.push(await fresh(context, () => firstRequest, { then }));
      await context.close();
    }
    return { ...evaluations, init, load, request };
  } finally {
    await browser.close();
    service.close();
  }
}

/** Serves an empty page with a high-resolution clock, and answers loads. */
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
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function text(number) {
  return number.toFixed(2);
}

function row(name, ...cells) {
  return `${name.padEnd(12)}${cells.map((cell) => cell.padStart(12)).join("")}`;
}

script(main);
