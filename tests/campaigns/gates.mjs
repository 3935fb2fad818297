// 10,000 random sequences of an editor's and of a production editor's requests, on SQLite and PostgreSQL: no gate lets a change past.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../scripts/postgres.mjs";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";

const SEQUENCES = 10_000;
const TESTS = 4;
const MINUTES = 180;
// A release build of the tests takes longer than it saves.
const OPTIMISED = { CARGO_PROFILE_TEST_OPT_LEVEL: "1" };
const RESULT = join(root, "docs", "campaigns", "gates.md");
const COUNTS = /gate sequences: (\w+), (.+), seed \d+, (\d+) sequences, (\d+) applied, (\d+) pending, (\d+) refused/g;

/** Runs crates/server/tests/api/effects/sequences.rs and writes the counts to docs/campaigns/gates.md. `seed` repeats a run. */
export async function campaign([seed = String(randomBytes(4).readUInt32BE())]) {
  process.stdout.write(`  seed ${seed}\n`);
  const test = ["test", "-p", "flagservice-server", "--test", "server"];
  await step("build of the tests", (note) =>
    run("cargo", [...test, "--no-run"], { cwd: root, env: OPTIMISED, note, minutes: 30 }),
  );
  const startedAt = performance.now();
  const output = await step(`${SEQUENCES} sequences of each kind on each database`, async (note) => {
    const postgres = await startPostgres(note);
    const env = {
      ...OPTIMISED,
      FLAGSERVICE_TEST_POSTGRES: postgres.url,
      FLAGSERVICE_TEST_REQUIRE_POSTGRES: "1",
      FLAGSERVICE_GATE_SEQUENCES: String(SEQUENCES),
      FLAGSERVICE_GATE_SEED: seed,
      FLAGSERVICE_TEST_MAX_SECONDS: String(MINUTES * 60),
    };
    try {
      return await run("cargo", [...test, "effects::sequences", "--", "--nocapture"], {
        cwd: root,
        env,
        note,
        minutes: MINUTES,
      });
    } finally {
      await postgres.stop();
    }
  });
  const minutes = (performance.now() - startedAt) / 60_000;
  const rows = [...output.matchAll(COUNTS)].map(([, ...row]) => row);
  assert.equal(rows.length, TESTS);
  for (const [, , sequences] of rows) assert.equal(Number(sequences), SEQUENCES);
  const text = report(rows.sort(), seed, minutes);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
}

function report(rows, seed, minutes) {
  const number = (text) => Number(text).toLocaleString("en");
  const row = ([database, caller, ...counts]) => `| ${caller} | ${database} | ${counts.map(number).join(" | ")} | 0 |`;
  return `# Sequences of requests against the gates

\`npm run campaign -- gates ${seed}\`; the number is the seed, which repeats the run. Each sequence is twelve random requests of
one person, valid or not: features, targeting, audiences, copies, approvals, and what protects them. After it, several users are
evaluated through OFREP, with types. For an editor, production must serve what it served before; for a production editor, what an
approval guards must be served as before: an environment, a feature, and two phases of a pipeline. An administrator changes all of it
after every ten sequences. ${minutes.toFixed(0)} minutes on ${cpus().length} cores.

| Caller | Database | Sequences | Requests applied | Requests pending | Requests refused | Violations |
|---|---|--:|--:|--:|--:|--:|
${rows.map(row).join("\n")}
`;
}
