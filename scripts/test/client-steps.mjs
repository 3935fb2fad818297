// The steps that test the browser client: its files in each browser, and the core's headless tests.
import { basename, join } from "node:path";
import { ensureBrowsers, ensureWasmBindgen, ensureWasmTarget, ensureWebKit, toolsEnvironment } from "../setup.mjs";
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
    "headless-chromium": headlessStep("Chromium", "chromium"),
    "headless-firefox": headlessStep("Firefox", "firefox"),
  };
}

function headlessStep(title, browser) {
  return {
    title: `Headless tests of the core in ${title}`,
    // Both builds use cargo's lock of the target folder.
    needs: ["server"],
    work: counted(CARGO_COUNTS, async (note) => {
      await Promise.all([ensureWasmTarget(), ensureWasmBindgen(), ensureBrowsers()]);
      // After npm's packages are installed.
      const { bundleHeadlessShell } = await import("./headless-shell.mjs");
      await bundleHeadlessShell();
      const runner = "node scripts/test/headless-runner.mjs";
      const env = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: runner, FLAGSERVICE_TEST_BROWSER: browser };
      const args = ["test", "-p", "flagservice-client", "--target", WASM];
      return command("cargo", args, { env: { ...toolsEnvironment(), ...env }, note });
    }),
  };
}
