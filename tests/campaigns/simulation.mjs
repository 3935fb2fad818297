// 10,000 simulated histories of the server, seeded and with faults: no invariant is broken, and planted defects are found.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { Histories } from "../support/campaigns/histories.mjs";

const HISTORIES = 10_000;
/** How many histories run a second time, to see that they are the same. */
const REPEATED = 200;
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
  const program = new Histories("simulation", Object.keys(DEFECTS));
  if (values.short) return program.shortForm(SHORT);
  await program.build();
  if (values.seed) return program.show(values);
  const histories = Number(values.histories ?? HISTORIES);
  assert.ok(Number.isInteger(histories) && histories > 0, `'${values.histories}' is not a number of histories`);
  const first = Number(values.first ?? 1);
  const seconds = values.minutes && Number(values.minutes) * 60;
  const result = await step(`${histories} histories`, () => program.run({ histories, first, seconds }));
  const repeated = await step(`${REPEATED} histories twice`, () =>
    program.run({ histories: REPEATED, first, twice: true }),
  );
  const text = report(result, repeated, await program.findDefects());
  process.stdout.write(text);
  if (!values.histories && !values.first) await writeFile(RESULT, text);
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
