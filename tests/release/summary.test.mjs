// The end of a test run names the tests that failed, and says why, also where a log is cut.
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
test copy::copies_users ... FAILED

failures:

---- copy::copies_rules stdout ----

thread 'copy::copies_rules' panicked at tests/copy.rs:7:5:
no rules

---- copy::copies_users stdout ----
Error: no users


failures:
    copy::copies_rules
    copy::copies_users

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
`;

/** Otherwise node:test would report to this process. */
const OUTERMOST = { NODE_TEST_CONTEXT: "" };

const FILE = `
import { test } from "node:test";
test("works", () => {});
test("fails", () => { throw new Error("as planned"); });
`;

test("the failed tests of each step are listed by name, with what they said", async (t) => {
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
  assert.match(
    list,
    /^ {2}pages: fails {2}\(.*two\.test\.mjs\)\n {6}Error: as planned\n {10}at .*\n(?: {10}at .*\n)* {2}rust: /,
  );
  const rust = [
    "  rust: copy::copies_rules",
    "      thread 'copy::copies_rules' panicked at tests/copy.rs:7:5:",
    "      no rules",
    "  rust: copy::copies_users",
    "      Error: no users",
  ];
  assert.ok(list.endsWith(`\n${rust.join("\n")}`), list);
  assert.match(text, /\n2 passed, 3 failed\n$/);
});
