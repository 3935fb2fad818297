// 100,000 generated pairs of environments: equal ones serve every user the same variants, and a copy leaves no difference.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";

const PAIRS = 100_000;
const MINUTES = 30;
const SETTINGS = 8;
const THOROUGH_EVERY = 20;
const RESULT = join(root, "docs", "campaigns", "compare.md");

/**
 * Runs the tests of crates/rules/tests/comparison with many pairs and writes the counts to docs/campaigns/compare.md. `seed` repeats
 * a run.
 */
export async function campaign([seed = String(randomBytes(4).readUInt32BE())]) {
  process.stdout.write(`  seed ${seed}\n`);
  const comparison = ["test", "--release", "-p", "flagservice-rules", "--test", "comparison"];
  await step("release build of the tests", (note) => run("cargo", [...comparison, "--no-run"], { cwd: root, note }));
  const startedAt = performance.now();
  const output = await step(`${PAIRS} pairs`, (note) => {
    const env = { ...process.env, FLAGSERVICE_COMPARE_PAIRS: String(PAIRS), FLAGSERVICE_COMPARE_SEED: seed };
    return run("cargo", [...comparison, "--", "--nocapture"], { cwd: root, env, note, minutes: MINUTES });
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const figures = JSON.parse(output.match(/figures: (\{.*\})/)[1]);
  const passed = Number(output.match(/test result: ok\. (\d+) passed/)[1]);
  assert.equal(figures.seed, seed);
  assert.ok(figures.counts.pairs >= PAIRS, `there were ${figures.counts.pairs} pairs`);
  const text = report({ ...figures, passed, seconds });
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
}

function report({ seed, users, counts, edits, passed, seconds }) {
  const row = ([name, { made, detected }]) =>
    `| ${name} | ${made} | ${detected} | ${((detected / made) * 100).toFixed(0)}% |`;
  return `# ${PAIRS} pairs of environments

\`npm run campaign -- compare ${seed}\`; the number is the seed, which repeats the run. Each pair is a project with audiences of the \
project, the
source and the target, and a feature's targeting in both environments. All ${passed} tests of \`crates/rules/tests/comparison\` passed \
for all pairs, in
${seconds.toFixed(0)} s on ${cpus().length} cores:

- if the comparison says equal, ${users} users at different times all get the same variant on both sides, and the next time condition is \
the same;
- the differences match an independent implementation, and are the same when source and target are swapped;
- another name of a rule, or inline conditions instead of an audience, is never a difference; another order of structurally
  different rules or splits always is one;
- after a copy with each of ${SETTINGS} selections of settings, the selected settings have no difference and the others are unchanged;
- after a copy of all three settings, 1,000 users get the same variant on both sides, for each ${THOROUGH_EVERY}th pair;
- users notice each of ten comparisons that are wrong in one way.

| pairs | number |
|---|--:|
| look different, but are equal by construction | ${counts.equivalent} |
| equal except for one edit | ${counts.oneEdit} |
| random | ${counts.independent} |
| called equal | ${counts.equal} |
| called different | ${counts.different} |

How often ${users} users notice a single edit shows how sensitive they are. They never notice another order of conditions, because all \
of them must
match anyway: here the comparison is stricter.

| edit | made | noticed | |
|---|--:|--:|--:|
${Object.entries(edits).map(row).join("\n")}
`;
}
