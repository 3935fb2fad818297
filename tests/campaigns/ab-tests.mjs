// 10,000 simulated experiments of each kind, looked at 100 times each: how often they are wrong, and how soon they find a difference.
import assert from "node:assert/strict";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { publish } from "../support/campaigns/browser.mjs";

const EXPERIMENTS = 10_000;
/** The largest share of experiments that may be wrong at any look. */
const ERROR = 0.05;
const TESTS = ["test", "--release", "--quiet", "-p", "flagservice-statistics", "--test", "simulation", "--"];

/** Simulates, and writes the figures to docs/campaigns/ab-tests.md. */
export async function campaign() {
  const env = { FLAGSERVICE_STATISTICS_EXPERIMENTS: String(EXPERIMENTS) };
  const args = [...TESTS, "--nocapture", "--test-threads", "1"];
  const output = await step("simulated experiments", (note) => run("cargo", args, { cwd: root, env, note }));
  const figures = [...output.matchAll(/figures: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json));
  const of = (kind) => figures.filter((figure) => figure.kind === kind);
  for (const kind of ["looks", "power", "guards", "split"]) assert.ok(of(kind).length > 0, `no figures of ${kind}`);
  await publish("ab-tests", report(of));
  for (const { missed, wrong } of of("looks")) assert.ok(missed <= ERROR && wrong <= ERROR, `${missed} ${wrong}`);
  for (const { tripped } of of("guards")) assert.ok(tripped <= ERROR, `${tripped}`);
}

function report(of) {
  const looks = grouped(of("looks"), ({ rates, participants }) => `${rates} ${participants}`);
  const power = grouped(of("power"), ({ participants }) => String(participants));
  const plans = power[0].map(({ planned }) => planned.toLocaleString("en"));
  return `# ${EXPERIMENTS.toLocaleString("en")} simulated experiments

\`npm run campaign -- ab-tests\`. Each row is ${EXPERIMENTS.toLocaleString("en")} experiments for each plan, and each of these is looked \
at 100 times. A share
is that of the experiments in which it happened at any of the looks; with several plans, the smallest to the largest. The last column is
the usual 95% interval, which is right only if it is looked at once. docs/decisions/0038 says how the results are calculated.

| Rates | Participants of each look | Plans | Left out the true difference | Declared different | Usual interval |
|---|---|---|--:|--:|--:|
${looks.map(lookRow).join("\n")}

**Power.** The variants convert 10% and 12% of their users. The sequence is looked at all the time, and the share is that of the
experiments in which it has found the difference by then. The usual test is made once, with that number of participants; textbooks say that
it needs 3,841 with each variant for a power of 80%.

| Participants with each variant | Planned for ${plans[0]} | Planned for ${plans[1]} | Test with one look |
|--:|--:|--:|--:|
${power.map(powerRow).join("\n")}

**Guards.** An experiment has a control, two variants and two guards, and all variants are equal. The guards share the 5%.

| Rate | Participants of each look | Tripped |
|--:|--:|--:|
${of("guards")
  .map(({ rate, participants, tripped }) => `| ${percent(rate)} | ${participants} | ${percent(tripped)} |`)
  .join("\n")}

**The split.** It is declared broken if its p-value is ever at most 5%.

| Intended share | Actual share | Participants of each look | Declared broken |
|--:|--:|--:|--:|
${of("split").map(splitRow).join("\n")}
`;
}

function lookRow(plans) {
  const [{ rates, participants, usual }] = plans;
  const range = (field) => {
    const shares = plans.map((plan) => plan[field]);
    const [least, most] = [Math.min(...shares), Math.max(...shares)];
    return least === most ? percent(least) : `${percent(least)} to ${percent(most)}`;
  };
  const different = [...new Set(plans.map((plan) => plan.planned))].sort((one, other) => one - other);
  const planned = different.map((number) => number.toLocaleString("en")).join("; ");
  const cells = [rates.map(percent).join(", "), participants.join(", "), planned, range("missed"), range("declared")];
  return `| ${cells.join(" | ")} | ${percent(usual)} |`;
}

function powerRow(plans) {
  const [{ participants, one }] = plans;
  const cells = [participants.toLocaleString("en"), ...plans.map(({ sequence }) => percent(sequence)), percent(one)];
  return `| ${cells.join(" | ")} |`;
}

function splitRow({ shares: [intended, actual], participants, declared }) {
  return `| ${percent(intended)} | ${percent(actual)} | ${participants} | ${percent(declared)} |`;
}

/** The figures in groups of the same key, in their order. */
function grouped(figures, keyOf) {
  const groups = new Map();
  for (const figure of figures) groups.set(keyOf(figure), [...(groups.get(keyOf(figure)) ?? []), figure]);
  return [...groups.values()];
}

const percent = (share) => `${Number((100 * share).toFixed(1))}%`;
