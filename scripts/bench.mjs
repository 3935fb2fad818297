// Measures evaluate(key).isOn() beside a Map that holds objects, in Node and in Chromium, in one run.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./processes.mjs";
import { script, step } from "./progress.mjs";
import { ensureBrowsers, ensureNodeModules, root } from "./setup.mjs";

const HELP = `npm run bench: nanoseconds for evaluate(key).isOn() in Node and in Chromium.

100 features, an exposure integration attached, all exposures sent. The client and a Map that holds objects take turns,
a million calls a round; the table shows the median of 15 rounds. Compare within a run: machines differ and are noisy.`;

const ROUNDS = 15;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const packageFolder = join(root, "dist/flagservice-client/dist");

script(async (given) => {
  if (given.includes("--help")) return console.log(HELP);
  await ensureNodeModules();
  const browsers = await ensureBrowsers();
  await run(process.execPath, [join(root, "scripts/build.mjs")], { cwd: root });
  const rows = {
    Node: await step("Node", inNode),
    Chromium: await step("Chromium", () => inChromium(browsers.chromium)),
  };
  const table = Object.entries(rows).map(([where, { client, floor }]) => [
    where,
    { "client ns": round(client), "Map ns": round(floor), ratio: round(client / floor) },
  ]);
  console.table(Object.fromEntries(table));
});

const round = (number) => Math.round(number * 100) / 100;

/** In a fresh process, so that nothing else is compiled there. */
async function inNode() {
  const [entry, evaluate] = [join(packageFolder, "index.mjs"), join(root, "scripts/bench/evaluate.mjs")];
  const source = `
    import FlagService from ${JSON.stringify(pathToFileURL(entry).href)};
    import { measure } from ${JSON.stringify(pathToFileURL(evaluate).href)};
    console.log(JSON.stringify(measure(FlagService, ${ROUNDS})));
  `;
  const output = await run(process.execPath, ["--input-type=module", "--eval", source]);
  return JSON.parse(output.trim().split("\n").at(-1));
}

/** In a fresh page. */
async function inChromium(executablePath) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ path: join(packageFolder, "flagservice.min.js") });
    const evaluate = await readFile(join(root, "scripts/bench/evaluate.mjs"), "utf8");
    await page.addScriptTag({
      content: `${evaluate.replace("export function", "function")}\nwindow.measure = measure;`,
    });
    return await page.evaluate((rounds) => window.measure(window.FlagService, rounds), ROUNDS);
  } finally {
    await browser.close();
  }
}
