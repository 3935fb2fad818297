// 10,000 simulated histories of edges and clients, and a tree of 1,000 edges and a million clients: propagation, reconnection, cost.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { Histories } from "../support/campaigns/histories.mjs";
import { propagationPlot, reconnectionPlot } from "./edges-simulation/plots.mjs";
import { report } from "./edges-simulation/report.mjs";

const HISTORIES = 10_000;
/** How many histories have 1,000 edges and a million clients. */
const FULL_HISTORIES = 4;
/** How many histories run a second time, to see that they are the same. */
const REPEATED = 200;
const DEFECTS = ["older-version", "clients-without-spread", "lost-revocation", "lost-age", "hasty-rejection"];
/** What the short form takes: histories for so many seconds, and two of them twice. */
const SHORT = { seconds: 4, repeated: 2 };
const RESULT = join(root, "docs", "campaigns", "edges-simulation");

/**
 * `npm run campaign -- edges-simulation [--minutes N] [--full-histories N]`: as many histories at the same time as there are cores,
 * 10,000 or those that fit into so many minutes, then those of full size and the measurements. Writes the figures to
 * docs/campaigns/edges-simulation.md, but not with `--histories N` or `--first SEED`, which run others. `--seed SEED` runs one history
 * and prints everything that happens in it; `--full` gives it 1,000 edges and a million clients.
 * `--short`: as many histories as fit into a few seconds, and the planted defects, with the program that the tests have compiled.
 */
export async function campaign(args = []) {
  const number = { type: "string" };
  const flag = { type: "boolean" };
  const options = {
    ...{ histories: number, first: number, minutes: number, seed: number, defect: number },
    ...{ "full-histories": number, full: flag, short: flag },
  };
  const { values } = parseArgs({ args, options });
  const program = new Histories("edges-simulation", DEFECTS);
  if (values.short) return program.shortForm(SHORT);
  await program.build();
  if (values.seed) return program.show(values);
  const histories = Number(values.histories ?? HISTORIES);
  assert.ok(Number.isInteger(histories) && histories > 0, `'${values.histories}' is not a number of histories`);
  const first = Number(values.first ?? 1);
  const seconds = values.minutes && Number(values.minutes) * 60;
  const result = await step(`${histories} histories`, () => program.run({ histories, first, seconds }));
  if (values.histories || values.first) return void process.stdout.write(`${JSON.stringify(result)}\n`);
  await writeReport(program, result, Number(values["full-histories"] ?? FULL_HISTORIES));
}

async function writeReport(program, result, fullHistories) {
  const repeated = await step(`${REPEATED} histories twice`, () => program.run({ histories: REPEATED, twice: true }));
  const found = await program.findDefects();
  // One at a time: a million clients take more than a gigabyte.
  const full =
    fullHistories > 0
      ? await step(`${fullHistories} histories of full size`, () =>
          program.run({ histories: fullHistories, full: true, jobs: 1 }),
        )
      : NONE;
  const measured = await step("the measurements", () => program.measure());
  const text = report({ result, repeated, full, found, measured, histories: HISTORIES });
  process.stdout.write(text);
  await writeFile(`${RESULT}.md`, text);
  await writeFile(`${RESULT}-propagation.svg`, propagationPlot(measured));
  await writeFile(`${RESULT}-reconnection.svg`, reconnectionPlot(measured));
}

/** With `--full-histories 0`. */
const NONE = { histories: 0, counts: {}, longestUntilCurrent: 0, clientPeak: 0, edgePeak: 0 };
