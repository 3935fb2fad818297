// The steps that test the browser client: its files in each browser, and the core's headless tests.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  ensureBrowsers,
  ensureGeckodriver,
  ensureWasmBindgen,
  ensureWasmTarget,
  ensureWebKit,
  root,
  toolsEnvironment,
} from "../setup.mjs";
import { command, counted, nodeTests, testFiles } from "./results.mjs";
import { CARGO_COUNTS } from "./rust-tests.mjs";

/** The folder of the browser client's tests. */
export const CLIENT = join("js", "browser");
const WASM = "wasm32-unknown-unknown";

/** Test files whose outcome depends on whether the core is wasm or JavaScript: how it starts, answers, and receives changes. */
const DEPENDS_ON_CORE = ["entries", "evaluation", "first-answers", "init", "memory", "stream", "user", "wasm"];
/** Test files that depend on the browser: storage, requests, streams, timers, closing pages, policies, module loading. */
const DEPENDS_ON_BROWSER = [
  ...["cache", "close", "entries", "first-answers", "goals", "insights"],
  ...["resilience", "return", "stream", "tabs", "wasm"],
];

/** Test files that also run in WebKit: what engines do differently. `npm run campaign -- engines` runs all. */
const IN_WEBKIT = ["cache", "close", "first-answers", "init", "return", "stream", "tabs", "wasm"];
const IN_WEBKIT_WITHOUT_WASM = ["first-answers", "init", "tabs"];

/** The browser client's tests: all in Chromium, and elsewhere those that depend on the browser, on the core's form, or on both. */
export function clientSteps() {
  const step = (title, browser, script, runs) => ({
    title: `Browser client in ${title}`,
    needs: ["build"],
    work: nodeTests({
      files: async () => (await testFiles(CLIENT)).filter((file) => runs(basename(file, ".test.mjs"))),
      before: browser === "webkit" ? ensureWebKit : ensureBrowsers,
      // They measure the memory of their process.
      alone: ["memory-in-node"].filter(runs).map((name) => join(CLIENT, `${name}.test.mjs`)),
      workers: 2,
      env: { FLAGSERVICE_TEST_BROWSER: browser, FLAGSERVICE_TEST_SCRIPT: script },
    }),
  });
  const [wasm, noWasm] = ["flagservice.min.js", "flagservice.no-wasm.min.js"];
  const onBrowser = (name) => DEPENDS_ON_BROWSER.includes(name);
  const onCore = (name) => DEPENDS_ON_CORE.includes(name);
  const onBoth = (name) => onBrowser(name) && onCore(name);
  return {
    "client-chromium": step("Chromium", "chromium", wasm, () => true),
    "client-chromium-no-wasm": step("Chromium, without wasm", "chromium", noWasm, onCore),
    "client-firefox": step("Firefox", "firefox", wasm, onBrowser),
    "client-firefox-no-wasm": step("Firefox, without wasm", "firefox", noWasm, onBoth),
    "client-webkit": step("WebKit", "webkit", wasm, (name) => IN_WEBKIT.includes(name)),
    "client-webkit-no-wasm": step("WebKit, without wasm", "webkit", noWasm, (name) =>
      IN_WEBKIT_WITHOUT_WASM.includes(name),
    ),
  };
}

/** The headless tests of the core in each browser. */
export function headlessSteps() {
  return {
    "headless-chromium": headlessStep("Chromium", async () => {
      const { chromedriver, headlessShell } = await ensureBrowsers();
      return { CHROMEDRIVER: chromedriver, WASM_BINDGEN_TEST_WEBDRIVER_JSON: await capabilitiesWith(headlessShell) };
    }),
    "headless-firefox": headlessStep("Firefox", async () => {
      await ensureBrowsers();
      return { GECKODRIVER: await ensureGeckodriver() };
    }),
  };
}

/** Writes webdriver.json with the binary of Chromium that the other tests use, and returns its path. */
async function capabilitiesWith(binary) {
  const capabilities = JSON.parse(await readFile(join(root, "webdriver.json"), "utf8"));
  capabilities["goog:chromeOptions"].binary = binary;
  const folder = join(root, "dist", ".work", "headless");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "webdriver.json"), JSON.stringify(capabilities));
  return join(folder, "webdriver.json");
}

/** The headless tests of the core in a browser; `driver` gives the environment variables for its driver. */
function headlessStep(title, driver) {
  return {
    title: `Headless tests of the core in ${title}`,
    // Both builds use cargo's lock of the target folder.
    needs: ["server"],
    work: counted(CARGO_COUNTS, async (note) => {
      await ensureWasmTarget();
      await ensureWasmBindgen();
      // After npm's packages are installed.
      const { bundleHeadlessShell } = await import("./headless-shell.mjs");
      await bundleHeadlessShell();
      const runner = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: "wasm-bindgen-test-runner" };
      const env = { ...toolsEnvironment(), ...runner, ...(await driver()) };
      return command("cargo", ["test", "-p", "flagservice-client", "--target", WASM], { env, note });
    }),
  };
}
