// 100,000 generated pairs of environments: what the comparison calls equal, no user tells apart, and a copy leaves no difference.
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
const THOUSAND_EVERY = 20;
const RESULT = join(root, "docs", "campaigns", "compare.md");

/** Runs the tests of crates/rules/tests/comparison over many pairs and writes the counts to docs/campaigns/compare.md. `seed` repeats a run. */
export async function campaign([seed = String(randomBytes(4).readUInt32BE())]) {
  process.stdout.write(`  seed ${seed}\n`);
  const comparison = ["test", "--release", "-p", "flagservice-rules", "--test", "comparison"];
  await step("release build of the tests", (note) => run("cargo", [...comparison, "--no-run"], { cwd: root, note }));
  const began = performance.now();
  const output = await step(`${PAIRS} pairs`, (note) => {
    const env = { ...process.env, FLAGSERVICE_COMPARE_PAIRS: String(PAIRS), FLAGSERVICE_COMPARE_SEED: seed };
    return run("cargo", [...comparison, "--", "--nocapture"], { cwd: root, env, note, minutes: MINUTES });
  });
  const seconds = (performance.now() - began) / 1000;
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
  const row = ([name, { made, toldApart }]) =>
    `| ${name} | ${made} | ${toldApart} | ${((toldApart / made) * 100).toFixed(0)} % |`;
  return `# ${PAIRS} pairs of environments

\`npm run campaign -- compare ${seed}\`; the number is the seed, and repeats the run. Each pair is a project with saved audiences of all of
it, of the source and of the target, and a feature's targeting in both. All ${passed} tests of \`crates/rules/tests/comparison\` held for all pairs, in
${seconds.toFixed(0)} s on ${cpus().length} cores:

- what the comparison calls equal, none of ${users} users, each at a time of their own, tells apart, and its next turn is the same;
- the differences are those of the structure written out by other means, and the same when source and target are swapped;
- another name of a rule, or conditions inline in the place of an audience, is never a difference; another order of structurally
  different rules or splits always is one;
- after a copy, with each of ${SETTINGS} selections of settings, there is no difference in what was selected, and the rest is the target's;
- after a copy of all three settings 1,000 users get the same variant on both sides, for each ${THOUSAND_EVERY}th pair;
- users notice each of ten comparisons that are wrong in one way.

| pairs | number |
|---|--:|
| look different, and are the same by construction | ${counts.alike} |
| the same but for one edit | ${counts.near} |
| any two | ${counts.any} |
| called equal | ${counts.equal} |
| called different | ${counts.different} |

How often ${users} users find a single edit shows how sharply they look. They never find another order of conditions, all of which must
hold anyway: there the comparison is stricter than they are.

| edit | made | told apart | |
|---|--:|--:|--:|
${Object.entries(edits).map(row).join("\n")}
`;
}
