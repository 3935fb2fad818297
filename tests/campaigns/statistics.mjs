// 1,000 random tables of experiments: crates/statistics and scipy say the same of them, to nine digits.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { ensureScipy, root, SCIPY } from "../../scripts/setup.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { generator } from "../support/generator.mjs";
import { inFolder } from "./release/server.mjs";

const TABLES = 1_000;
const SEED = 20261125;
const MAX_PARTICIPANTS = 100_000;
/** The largest difference, relative to the value where that is above 1. */
const TOLERANCE = 1e-9;
const RESULTS = [
  "difference of the rates",
  "lower end of the confidence sequence",
  "upper end",
  "participants still needed",
  "logarithm of the Bayes factor of the split",
  "p-value of the split",
  "probability of a broken split",
];

/** Compares, and writes the figures to docs/campaigns/statistics.md. */
export async function campaign() {
  const random = generator(SEED);
  const tables = Array.from({ length: TABLES }, () => table(random));
  const [ours, theirs] = await inFolder(async (folder) => {
    const file = join(folder, "tables");
    await writeFile(file, tables.map((numbers) => `${numbers.join(" ")}\n`).join(""));
    const example = ["run", "--quiet", "-p", "flagservice-statistics", "--example", "tables", file];
    const program = join(root, "tests", "campaigns", "statistics", "independent.py");
    const python = await ensureScipy();
    return [
      rows(await step("crates/statistics", (note) => run("cargo", example, { cwd: root, note }))),
      rows(await step(`scipy ${SCIPY}`, (note) => run(python, [program, file], { note }))),
    ];
  });
  assert.equal(ours.length, TABLES);
  assert.equal(theirs.length, TABLES);
  const greatest = RESULTS.map((_, place) =>
    Math.max(...ours.map((row, index) => distance(row[place], theirs[index][place]))),
  );
  assert.ok(distance(ours[0][1] + 2 * TOLERANCE, theirs[0][1]) > TOLERANCE, "the comparison finds nothing");
  await publish("statistics", report(ours, greatest));
  RESULTS.forEach((name, place) => {
    assert.ok(greatest[place] <= TOLERANCE, `${name}: ${greatest[place]}`);
  });
}

/** The numbers of one table, as crates/statistics/examples/tables.rs reads them. */
function table(random) {
  const upTo = (most) => Math.floor(random() * (most + 1));
  // Small numbers are as frequent as large ones.
  const participants = () => Math.floor(MAX_PARTICIPANTS ** random());
  const [control, variant] = [participants(), participants()];
  const error = [0.05, 0.025, 0.01, 0.1][upTo(3)];
  const arms = [control, upTo(control), variant, upTo(variant)];
  const weights = Array.from({ length: 3 }, () => 1 + upTo(98));
  const split = weights.map((weight) => Math.floor((weight / 100) * participants() * (0.9 + random() / 5)));
  return [1 + participants(), error, ...arms, 0.001 + random() / 5, ...weights, ...split, 0.001 + random() / 2];
}

function rows(text) {
  const lines = text.trim().split("\n");
  return lines.map((line) => line.split(" ").map(Number));
}

function distance(one, other) {
  return Math.abs(one - other) / Math.max(1, Math.abs(other));
}

function report(ours, greatest) {
  const decided = ours.filter(([, lower, upper]) => lower > 0 || upper < 0).length;
  const tooFew = ours.filter(([, lower, upper]) => lower === -1 && upper === 1).length;
  return `# ${TABLES.toLocaleString("en")} tables, calculated twice

\`npm run campaign -- statistics\`. Random experiments with up to ${MAX_PARTICIPANTS.toLocaleString("en")} participants in each variant, \
seed ${SEED}: of the ${TABLES},
${decided} have a difference and ${tooFew} too few conversions for an interval. \`crates/statistics\` and scipy ${SCIPY} calculate the same
results by other formulas (\`tests/campaigns/statistics/independent.py\`): Howard's form of the boundary with Lambert's function, Brent's
method in place of bisection, and the Bayes factor as a ratio of scipy's probabilities.

| Result | greatest difference |
|---|--:|
${RESULTS.map((name, place) => `| ${name} | ${greatest[place].toExponential(1)} |`).join("\n")}

A difference is relative where the value is above 1. The bound is ${TOLERANCE.toExponential(0)}.
`;
}
