// The adapter of the SDKs for pages: each client is a page in Chromium, with storage of its own unless the case names one.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../../scripts/setup.mjs";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { serve } from "./adapter.mjs";

const published = (name) => join(root, "dist", name, "dist", "index.mjs");

const COMMON = [
  ...[
    "client-side",
    "streaming",
    "update-events",
    "default-features",
    "exposures",
    "exposure-predicate",
    "goals",
    "update-user",
    "clock",
  ],
];
const BROWSER = [
  ...COMMON,
  ...["event-features", "loaded-event", "all-features", "bootstrap", "first-answers", "initial-response"],
  ...["evaluation-events", "offline", "cache"],
];

/** Path → the SDK, the script of its page and the module in the page that creates clients. */
const SDKS = {
  browser: { name: "flagservice-client", script: "flagservice.min.js", module: "browser", capabilities: BROWSER },
  "browser-no-wasm": {
    name: "flagservice-client/no-wasm",
    script: "flagservice.no-wasm.min.js",
    module: "browser",
    capabilities: BROWSER,
  },
  react: {
    name: "react-flagservice-client",
    module: "react",
    // Hooks fire no event of evaluation, and a value is there only once a component is on the page.
    capabilities: BROWSER.filter((name) => !["first-answers", "evaluation-events"].includes(name)),
  },
  "openfeature-web": {
    name: "flagservice-openfeature-web",
    module: "openfeature",
    capabilities: COMMON,
  },
  "ofrep-web": {
    name: "@openfeature/ofrep-web-provider",
    module: "ofrep",
    capabilities: ["client-side", "update-user", "ofrep"],
  },
};

const HTML = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>contract</title><body>`;

/** The module of an SDK as a script that defines `sdk.create`. */
async function bundled(name) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "in-page", `${name}.mjs`)],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sdk",
    define: { "process.env.NODE_ENV": '"development"' },
    alias: {
      "flagservice-client": published("flagservice-client"),
      "react-flagservice-client": published("react-flagservice-client"),
      "flagservice-openfeature-web": published("flagservice-openfeature-web"),
    },
    logLevel: "error",
  });
  return outputFiles[0].text;
}

const browser = await launchBrowser("chromium-for-pages");
process.on("SIGTERM", () => browser.close().finally(() => process.exit()));
/** Page → what gets the records of its client. */
const emitters = new Map();
const context = await newContext();
/** Pages whose client is closed. Navigating costs a quarter of what a new page does. */
const free = [];
/** The port of this adapter. Pages of different names below localhost have storages of their own. */
let port;
let created = 0;

async function openPage(path, { storage, baseUrl, clock }) {
  // A service of its own stands for a case.
  const host = storage ? `${storage}-${new URL(baseUrl).port}-${path}` : `client-${++created}`;
  const page = clock ? await clockPage() : (free.pop() ?? (await context.newPage()));
  await page.goto(`http://${host}.localhost:${port}/pages/${path}`);
  return page;
}

/**
 * A context whose pages have `emitRecord`. It exists before the first page: when pages are opened while the first function of a context
 * is being exposed, some of them never get theirs (Playwright 1.65).
 */
async function newContext() {
  const context = await browser.newContext();
  await context.exposeBinding("emitRecord", ({ page }, event, fields) => emitters.get(page)?.(event, fields));
  return context;
}

/** A page whose clock can be advanced. All pages of a context have the same clock. */
async function clockPage() {
  const page = await (await newContext()).newPage();
  await page.clock.install();
  return page;
}

function create(path) {
  return async (options, emit) => {
    const page = await openPage(path, options);
    emitters.set(page, emit);
    const first = await page.evaluate(async (options) => {
      window.client = await sdk.create(options, (event, fields) => emitRecord(event, fields));
      return window.client.first;
    }, options);
    return {
      first,
      async run(command) {
        if (command.command === "advanceClock") return page.clock.fastForward(command.ms);
        return page.evaluate((command) => window.client.run(command), command);
      },
      async close() {
        await page.evaluate(() => window.client.close());
        emitters.delete(page);
        if (options.clock) await page.context().close();
        else free.push(page);
      },
    };
  };
}

async function start() {
  const files = {};
  const sdks = {};
  for (const [path, { script, module, ...sdk }] of Object.entries(SDKS)) {
    const own = script ? await readFile(join(root, "dist", "flagservice-client", "dist", script), "utf8") : "";
    files[`/pages/${path}.js`] = { type: "text/javascript", text: `${own}\n${await bundled(module)}` };
    files[`/pages/${path}`] = { type: "text/html", text: `${HTML}<script src="/pages/${path}.js"></script>` };
    sdks[path] = { ...sdk, create: create(path) };
  }
  ({ port } = new URL(await serve(sdks, files)));
}

await start();
