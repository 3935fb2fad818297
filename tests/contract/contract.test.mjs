// Every SDK of this repository passes the contract's cases, and docs/contract.md says which of them each one runs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { allCases } from "./harness/cases.mjs";
import { withTable } from "./harness/document.mjs";
import { DOCUMENT, runAll } from "./run.mjs";

let runs;

before(async () => {
  runs = await runAll();
});

test("no SDK fails a case of the contract", () => {
  const failed = [...runs].flatMap(([sdk, results]) =>
    results.filter(({ outcome }) => outcome === "failed").map(({ name, reason }) => `${sdk}: ${name}: ${reason}`),
  );
  assert.deepEqual(failed, []);
});

test("every case is passed by at least one SDK", () => {
  const passed = new Set(
    [...runs.values()].flat().flatMap(({ name, outcome }) => (outcome === "passed" ? [name] : [])),
  );
  assert.deepEqual(
    allCases()
      .map(({ name }) => name)
      .filter((name) => !passed.has(name)),
    [],
  );
});

test("docs/contract.md has the capabilities, and the outcome of each case with each SDK", async () => {
  const document = await readFile(DOCUMENT, "utf8");
  assert.equal(document, withTable(document, allCases(), runs), "Run: node tests/contract/run.mjs --write");
});
