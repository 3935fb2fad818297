// 10,000 simulated histories of the server, seeded and with faults: no invariant is broken, and planted defects are found.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LINTED } from "../../scripts/build/server.mjs";
import { CommandFailed, run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root, targetFolder } from "../../scripts/setup.mjs";

const HISTORIES = 10_000;
/** How many histories run a second time, to see that they are the same. */
const REPEATED = 200;
/** The most histories in which a planted defect has to be found. */
const SEARCHED = 500;
const DEFECTS = {
  "lost-outbox-entry": "a change that leaves no entry in the outbox",
  "unfenced-lease": "a lease that is also renewed by a node that has lost it",
  "early-acknowledgement": "a commit that is answered before it is made",
};
/** What the short form takes: histories for so many seconds, and two of them twice. */
const SHORT = { seconds: 6, repeated: 2 };
const RESULT = join(root, "docs", "campaigns", "simulation.md");

/**
 * `npm run campaign -- simulation [--minutes N]`: as many histories at the same time as there are cores, 10,000 or those that fit into
 * so many minutes. Writes the figures to docs/campaigns/simulation.md, but not with `--histories N` or `--first SEED`, which run others.
 * `--seed SEED` runs one history and prints everything that happens in it.
 * `--short`: as many histories as fit into a few seconds, and the planted defects, with the program that the tests have compiled.
 */
export async function campaign(args = []) {
  const number = { type: "string" };
  const options = {
    histories: number,
    first: number,
    minutes: number,
    seed: number,
    defect: number,
    short: { type: "boolean" },
  };
  const { values } = parseArgs({ args, options });
  const program = join(await targetFolder(), "debug", "simulation");
  if (values.short) return shortForm(program);
  await step("the simulation", build);
  if (values.seed) return show(program, values.seed, values.defect);
  const histories = Number(values.histories ?? HISTORIES);
  assert.ok(Number.isInteger(histories) && histories > 0, `'${values.histories}' is not a number of histories`);
  const first = Number(values.first ?? 1);
  const seconds = values.minutes && Number(values.minutes) * 60;
  const result = await step(`${histories} histories`, () => simulate(program, { histories, first, seconds }));
  const repeated = await step(`${REPEATED} histories twice`, () =>
    simulate(program, { histories: REPEATED, first, twice: true }),
  );
  const found = await defects(program);
  const text = report(result, repeated, found);
  process.stdout.write(text);
  if (!values.histories && !values.first) await writeFile(RESULT, text);
}

/** Runs one history, and prints everything that happens in it, whether or not an invariant holds. */
async function show(program, seed, defect) {
  const args = ["--seed", seed, ...(defect ? ["--defect", defect] : []), "--trace"];
  const output = await run(program, args, { cwd: root }).catch((error) => {
    if (!(error instanceof CommandFailed)) throw error;
    return error.output;
  });
  process.stdout.write(output);
}

/** The program of the tests, with their features, so that cargo does not compile its dependencies again. */
function build(note) {
  const args = ["build", "--profile", "test", "--workspace", "--bin", "simulation", "--test", "corpus"];
  return run("cargo", args, { cwd: root, env: LINTED, note });
}

async function shortForm(program) {
  const { seconds, repeated } = SHORT;
  const result = await simulate(program, { histories: HISTORIES, first: 1, seconds });
  const again = await simulate(program, { histories: repeated, first: 1, twice: true });
  assert.equal(again.repeated, repeated);
  const found = await defects(program);
  const seeds = found.map(({ defect, seed }) => `${defect} with seed ${seed}`);
  process.stdout.write(`simulation: ${result.histories} histories, 0 broken; found ${seeds.join(", ")}\n`);
}

/** Searches for each planted defect, and returns the seed that found it. */
async function defects(program) {
  const found = [];
  for (const defect of Object.keys(DEFECTS)) {
    const result = await step(`the defect ${defect}`, () =>
      simulate(program, { histories: SEARCHED, first: 1, defect }),
    );
    assert.ok(result.found, `${SEARCHED} histories did not find the defect ${defect}`);
    const { seed, violations } = result.found;
    found.push({ defect, seed, histories: result.histories, violation: violations[0] });
  }
  return found;
}

/** Runs histories, and resolves to their figures. Rejects with the seed if an invariant does not hold. */
async function simulate(program, { histories, first, seconds, twice, defect }) {
  const args = ["--histories", String(histories), "--first", String(first), "--jobs", String(cpus().length)];
  if (seconds) args.push("--seconds", String(seconds));
  if (twice) args.push("--twice");
  if (defect) args.push("--defect", defect);
  const output = await run(program, args, { cwd: root, minutes: 120 });
  const figures = output.split("\n").find((line) => line.startsWith("{"));
  return JSON.parse(figures);
}

function report({ histories, first, last, seconds, counts }, { repeated }, found) {
  const all = HISTORIES.toLocaleString("en");
  const isPart =
    histories < HISTORIES ? ` The time of this run was limited (\`--minutes\`): a full one has ${all} histories.` : "";
  const hours = (counts.milliseconds / 3_600_000).toFixed(0);
  const defect = ({ defect, seed, histories, violation }) =>
    `| ${DEFECTS[defect]} (\`${defect}\`) | ${seed} | ${histories} | ${violation.slice(0, 160).replaceAll("|", "\\|")} |`;
  return `# ${histories.toLocaleString("en")} simulated histories

\`npm run campaign -- simulation\`. Each history is one process: one to three nodes of the server on one SQLite database, without
sockets, on simulated time, with everything random drawn from its seed. People change targetings, request and decide on approvals,
copy, switch off, describe and create features and switch webhooks; readers follow the values of a user from any node; webhooks are sent
to destinations. Disks, connections, answers, nodes, clocks and destinations fail as the seed says (docs/decisions/0035). Then everything
heals, and the invariants are checked. Seeds ${first} to ${last}, ${seconds.toFixed(0)} s on ${cpus().length} cores, which other work may
share.${isPart}

| | |
|---|--:|
| Histories | ${histories} |
| in which an invariant did not hold | 0 |
| Simulated time | ${hours} h |
| Operations | ${counts.operations} |
| of these acknowledged | ${counts.acknowledged} |
| Attempts that arrived at destinations | ${counts.attempts} |
| Faults of database and disk | ${counts.faults} |
| Crashes, stops, pauses and jumps of clocks | ${counts.node_faults} |
| Histories that ran twice, with the same trace | ${repeated} |

Defects that were planted, and the first history that finds each:

| defect | seed | histories searched | what did not hold |
|---|--:|--:|---|
${found.map(defect).join("\n")}

\`npm run campaign -- simulation --seed 17\` repeats a history and prints everything that happens in it.
`;
}
