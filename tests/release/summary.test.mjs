// The end of a test run names the tests that failed, also where a log is cut.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { counted, nodeTests } from "../../scripts/test/results.mjs";
import { CARGO_COUNTS } from "../../scripts/test/rust-tests.mjs";
import { summary } from "../../scripts/test/summary.mjs";

const CARGO_OUTPUT = `
test copy::keeps_notes ... ok
test copy::copies_rules ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
`;

/** Otherwise node:test would report to this process. */
const OUTERMOST = { NODE_TEST_CONTEXT: "" };

const FILE = `
import { test } from "node:test";
test("works", () => {});
test("fails", () => { throw new Error("as planned"); });
`;

test("the failed tests of each step are listed by name", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "flagservice-summary-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "two.test.mjs");
  await writeFile(file, FILE);
  const steps = {
    pages: { ...(await nodeTests({ files: () => [file], env: OUTERMOST })()), seconds: 1 },
    rust: { ...(await counted(CARGO_COUNTS, () => CARGO_OUTPUT)()), seconds: 2 },
  };
  const text = summary(steps, 1);
  const [, list] = text.match(/\nFailed tests\n([\s\S]*?)\n\n/);
  assert.match(list, /^ {2}pages: fails {2}\(.*two\.test\.mjs\)\n {2}rust: copy::copies_rules$/);
  assert.match(text, /\n2 passed, 2 failed\n$/);
});
