// All tests of the browser client in Chromium, Firefox and WebKit, with wasm and without.
import assert from "node:assert/strict";
import { run } from "../../scripts/processes.mjs";
import { explain, step } from "../../scripts/progress.mjs";
import { ensureBrowsers, ensureWebKit } from "../../scripts/setup/system.mjs";
import { root } from "../../scripts/setup.mjs";
import { testFiles } from "../../scripts/test/results.mjs";
import { publish } from "../support/campaigns/browser.mjs";

const ENGINES = ["chromium", "firefox", "webkit"];
const BUILDS = { "with wasm": "flagservice.min.js", "without wasm": "flagservice.no-wasm.min.js" };
const MINUTES = 15;

/** Builds the client, runs everything, and writes the counts to docs/campaigns/engines.md. Names of engines run these alone. */
export async function campaign(names) {
  const engines = names.length > 0 ? names : ENGINES;
  await ensureBrowsers();
  await ensureWebKit();
  await step("browser client", (note) => run("node", ["scripts/build.mjs"], { cwd: root, note }));
  const rows = [];
  for (const engine of engines) {
    for (const [build, script] of Object.entries(BUILDS)) {
      rows.push({ engine, build, ...(await step(`${engine}, ${build}`, (note) => test(engine, script, note))) });
    }
  }
  if (names.length === 0) await publish("engines", report(rows));
  else process.stdout.write(report(rows));
  assert.deepEqual(
    rows.filter(({ pass, fail }) => fail > 0 || pass === 0),
    [],
  );
}

async function test(engine, script, note) {
  // It drives no browser.
  const files = (await testFiles("js/browser")).filter((file) => !file.endsWith("memory-in-node.test.mjs"));
  const env = { FLAGSERVICE_TEST_BROWSER: engine, FLAGSERVICE_TEST_SCRIPT: script };
  const args = ["tests/run.mjs", "--workers", "2", "--minutes", String(MINUTES), ...files];
  const output = await run("node", args, { cwd: root, env, note, minutes: MINUTES }).catch((failure) => {
    explain(failure);
    return failure.output ?? "";
  });
  const sum = (what) =>
    [...output.matchAll(new RegExp(`^ℹ ${what} (\\d+)$`, "gm"))].reduce((total, [, count]) => total + Number(count), 0);
  return { pass: sum("pass"), fail: sum("fail") + sum("cancelled"), skipped: sum("skipped") };
}

function report(rows) {
  const lines = rows.map(
    ({ engine, build, pass, fail, skipped }) => `| ${engine} | ${build} | ${pass} | ${fail} | ${skipped} |`,
  );
  return `# The browser client in three engines

\`npm run campaign -- engines\`. Every test of js/browser in each engine, with each build of the client. A skipped test names its reason: it
measures wasm in the build without it, or needs a command that the engine's driver does not have.

| Engine | Build | passed | failed | skipped |
|---|---|--:|--:|--:|
${lines.join("\n")}
`;
}
