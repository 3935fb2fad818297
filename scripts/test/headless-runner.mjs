// Cargo's runner for the headless tests of the core. wasm-bindgen's test runner serves the page of a test file. We open it in the
// browser that FLAGSERVICE_TEST_BROWSER names, started as for all other tests, so that no WebDriver has to be built.
import { createInterface } from "node:readline";
import { launchChromium, launchFirefox } from "../browsers.mjs";
import { freePort } from "../free-port.mjs";
import { start } from "../processes.mjs";

const LAUNCH = { chromium: launchChromium, firefox: launchFirefox };
/** How long the tests of a file may take. */
const TIMEOUT_MS = 120_000;

async function main(args) {
  const address = `127.0.0.1:${await freePort()}`;
  const env = { NO_HEADLESS: "1", WASM_BINDGEN_TEST_ADDRESS: address };
  const runner = start("wasm-bindgen-test-runner", args, { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    // It ends by itself if the file has no tests.
    const code = await Promise.race([isServing(runner.child), runner.exited]);
    // A signal is a failure, too.
    if (code !== true) return code === 0 ? 0 : 1;
    const output = await runIn(LAUNCH[process.env.FLAGSERVICE_TEST_BROWSER], `http://${address}`);
    process.stdout.write(output);
    return output.includes("test result: ok") ? 0 : 1;
  } finally {
    await runner.stop("SIGKILL");
  }
}

/** Passes the runner's output on; resolves to true once it serves the page. */
async function isServing(child) {
  for await (const line of createInterface(child.stdout)) {
    if (line.includes("tests are now available")) return true;
    process.stdout.write(`${line}\n`);
  }
  return new Promise(() => {});
}

/** The output of the page after the last test, or when the time is over. */
async function runIn(launch, url) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.goto(url);
    const output = page.locator("#output");
    await output
      .filter({ hasText: "test result: " })
      .waitFor()
      .catch((error) => process.stdout.write(`${error.message}\n`));
    return `${await output.textContent()}\n`;
  } finally {
    await browser.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
