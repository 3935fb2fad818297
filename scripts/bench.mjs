// Speed of the browser client in Node and in Chromium, beside the least that any client pays, in one run.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { launchBrowser } from "../tests/e2e/browser.mjs";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";
import { ensureNodeModules, root } from "./setup.mjs";

const HELP = `npm run bench -- [--quick]

Measures evaluate(key).isOn() beside a Map that holds objects, and the time from the call of init to the first right
answer, in Node and in Chromium. It fails when an evaluation takes more than twice the time of the Map.
--quick  fewer rounds
`;

/** The most that an evaluation may take, in times of the Map. */
const MOST_RATIO = 2;
const DIST = join(root, "dist", "flagservice-client", "dist");

async function main([argument]) {
  if (argument !== undefined && argument !== "--quick") {
    process.stdout.write(argument === "--help" ? HELP : `npm run bench takes no argument ${argument}.\n\n${HELP}`);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const rounds = argument ? 5 : 15;
  await ensureNodeModules();
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  const node = await step("Node", () => inNode(rounds));
  const chromium = await step("Chromium", () => inChromium(rounds));
  const ratios = [];
  process.stdout.write(`\n${row("median", "client, ns", "Map, ns", "ratio", "init, ms", "load, ms")}\n`);
  for (const [name, result] of Object.entries({ Node: node, Chromium: chromium })) {
    // The ratio of two that were measured one after the other is steadier than that of the medians.
    const ratio = median(result.client.map((ns, round) => ns / result.floor[round]));
    ratios.push(ratio);
    const cells = [median(result.client), median(result.floor), ratio, median(result.init), median(result.load)];
    process.stdout.write(`${row(name, ...cells.map((cell) => cell.toFixed(2)))}\n`);
  }
  process.stdout.write(
    "init: call of init to the first right answer; load: script start to the end of its evaluation\n",
  );
  if (Math.max(...ratios) > MOST_RATIO)
    throw new Error(`An evaluation takes over ${MOST_RATIO} times as long as a Map.`);
}

async function inNode(rounds) {
  const measure = async (...args) => {
    const output = await run("node", [join(root, "scripts", "bench", "node.mjs"), address("index.mjs"), ...args]);
    return JSON.parse(output);
  };
  const { client, floor } = await measure(String(rounds));
  const fresh = [];
  for (let round = 0; round < rounds; round++) fresh.push(await measure());
  return { client, floor, init: fresh.map(({ init }) => init), load: fresh.map(({ load }) => load) };
}

async function inChromium(rounds) {
  const bundle = await build({
    entryPoints: [join(root, "scripts", "bench", "measured.mjs")],
    ...{ bundle: true, write: false, format: "iife", globalName: "measured" },
  });
  const measured = bundle.outputFiles[0].text;
  const client = await readFile(join(DIST, "flagservice.min.js"), "utf8");
  const browser = await launchBrowser();
  const fresh = async (work, argument) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addScriptTag({ content: measured });
    await page.addScriptTag({
      content: `window.began = performance.now();${client};window.load = performance.now() - began;`,
    });
    const result = await page.evaluate(work, argument);
    await context.close();
    return result;
  };
  try {
    const evaluations = await fresh((rounds) => measured.evaluations(FlagService, rounds), rounds);
    const first = [];
    for (let round = 0; round < rounds; round++) {
      first.push(await fresh(() => ({ load, init: measured.firstAnswer(FlagService) })));
    }
    return { ...evaluations, init: first.map(({ init }) => init), load: first.map(({ load }) => load) };
  } finally {
    await browser.close();
  }
}

function address(name) {
  return pathToFileURL(join(DIST, name)).href;
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function row(name, ...cells) {
  return `${name.padEnd(12)}${cells.map((cell) => cell.padStart(12)).join("")}`;
}

script(main);
