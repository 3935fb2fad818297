// All tests of the server that need a database, on PostgreSQL. `npm test` runs most of them on SQLite only.
import assert from "node:assert/strict";
import { step } from "../../scripts/progress.mjs";
import { CARGO_COUNTS, cargoTestWithPostgres } from "../../scripts/test/rust-tests.mjs";
import { publish } from "../support/campaigns/browser.mjs";

const HELP = "npm run campaign -- postgres\n\nIt takes no arguments.\n";
const TESTS = ["--test", "server", "--", "--include-ignored", "postgres"];

/** Runs the tests, and writes the counts to docs/campaigns/postgres.md. */
export async function campaign(args) {
  if (args.length > 0) throw new Error(HELP);
  const output = await step("tests on PostgreSQL", (note) => cargoTestWithPostgres(TESTS, { note })).catch((error) => {
    process.stdout.write(error.output ?? "");
    throw error;
  });
  const [passed, failed] = [CARGO_COUNTS.passed, CARGO_COUNTS.failed].map((pattern) =>
    [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0),
  );
  assert.ok(passed > 0 && failed === 0, `${passed} passed, ${failed} failed`);
  await publish("postgres", report(passed, failed));
}

function report(passed, failed) {
  return `# The server's tests on PostgreSQL

\`npm run campaign -- postgres\`. Each test that \`npm test\` runs on SQLite or on both databases (docs/decisions/0046).

| Tests | passed | failed |
|---|--:|--:|
| on PostgreSQL | ${passed} | ${failed} |
`;
}
