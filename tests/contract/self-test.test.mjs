// The contract's cases can fail: a small SDK passes them all, and with each planted fault it fails the case that covers it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { run } from "../../scripts/processes.mjs";
import { allCases, parseSuppressions } from "./harness/cases.mjs";
import { runCases } from "./harness/run-cases.mjs";
import { Sdk } from "./harness/sdk.mjs";
import { startAdapter } from "./run.mjs";
import { FAULTS } from "./self-test/faults.mjs";

/** How long a case with a planted fault waits for what never happens. No fault keeps the SDK from loading. */
const TIMEOUTS = { timeoutMs: 3_000, readyMs: 60_000 };

const HARNESS = join(import.meta.dirname, "harness.mjs");

let adapter;

before(async () => {
  adapter = await startAdapter(join(import.meta.dirname, "self-test", "adapter.mjs"));
});
after(() => adapter?.stop());

const addressOf = (path) => adapter.addresses.find(([name]) => name === path)[1];
const connect = (path) => Sdk.connect(addressOf(path));

test("a small SDK without a fault passes every case that it has the capabilities for", async () => {
  const results = await runCases(allCases(), await connect("correct"), { server: null, timeoutMs: 60_000 });
  assert.deepEqual(
    results.filter(({ outcome }) => outcome === "failed"),
    [],
  );
  const passed = results.filter(({ outcome }) => outcome === "passed").length;
  assert.ok(passed >= 50, `${passed} cases passed`);
});

describe("a planted fault fails the case that covers it", { concurrency: 6 }, () => {
  for (const [index, [fault, name]] of Object.entries(FAULTS).entries()) {
    // Those with a clock run below: there is one clock.
    const testCase = allCases().find((one) => one.name === name);
    if (testCase.exclusive) continue;
    test(`${fault}: ${name}`, async () => {
      assert.equal(await outcomeOf(index, testCase), "failed");
    });
  }
});

test("a planted fault of timing fails the case that covers it", async () => {
  for (const [index, [fault, name]] of Object.entries(FAULTS).entries()) {
    const testCase = allCases().find((one) => one.name === name);
    if (testCase.exclusive) assert.equal(await outcomeOf(index, testCase), "failed", fault);
  }
});

test("an SDK that evaluates wrongly fails every conformance case", async () => {
  const cases = allCases().filter(({ name }) => name.startsWith("conformance/"));
  const results = await runCases(cases, await connect("always-on"));
  assert.equal(cases.length, 5);
  assert.deepEqual([...new Set(results.map(({ outcome }) => outcome))], ["failed"]);
});

test("a suppressed case does not run and has a reason; one without a reason, or of no case, is refused", async () => {
  const cases = allCases();
  const suppressions = parseSuppressions("# known\nexposures/once  the application deduplicates\n", cases);
  const [result] = await runCases(
    cases.filter(({ name }) => name === "exposures/once"),
    await connect("fault-0"),
    { suppressions },
  );
  assert.deepEqual([result.outcome, result.reason], ["suppressed", "the application deduplicates"]);
  assert.throws(() => parseSuppressions("exposures/once\n", cases), /without a reason/);
  assert.throws(() => parseSuppressions("exposures/never  because\n", cases), /no case exposures\/never/);
});

test("the command prints a line for each case and a table, and exits with 1 if a case fails", async () => {
  const harness = (path) => {
    const options = ["--url", addressOf(path), "--only", "exposures/once", "--timeout", "60000"];
    return run(process.execPath, [HARNESS, ...options], { minutes: 5 });
  };
  const output = await harness("correct");
  assert.match(output, /✓ exposures\/once {2}\d+ ms\n/);
  assert.match(output, /small-sdk +1 +0 +0 +0\n/);
  await assert.rejects(harness("fault-0"), ({ message, output }) => {
    assert.match(message, /exited with 1/);
    assert.match(output, /✗ exposures\/once {2}failed: step 6/);
    return true;
  });
  assert.match(
    await run(process.execPath, [HARNESS, "--list"], { minutes: 5 }),
    /^stream\/reload\n {4}`reload` makes/m,
  );
});

async function outcomeOf(index, testCase) {
  const sdk = await connect(`fault-${index}`);
  const [{ outcome, reason }] = await runCases([testCase], sdk, TIMEOUTS);
  // Then the machine was too slow, and the fault was not found.
  assert.doesNotMatch(reason ?? "", /\{"ready":true\}/);
  return outcome;
}
