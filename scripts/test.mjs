// Every check of the repository: what runs, how long it takes, and how many tests pass.
import { availableParallelism } from "node:os";
import { restoreSourceTimes } from "./build/source-times.mjs";
import { stopAll } from "./processes.mjs";
import { Display, explain, script } from "./progress.mjs";
import { ensureNodeModules, ensureWasmTarget } from "./setup.mjs";
import { STEPS } from "./steps.mjs";
import { runSteps } from "./test/schedule.mjs";
import { prepareScratchFolder } from "./test/scratch.mjs";
import { summary } from "./test/summary.mjs";

const HELP = `npm test -- [--list] [--only <step>]… [--slots N]

Runs every check, also after one has failed. Prints the time of each step, the slowest tests, the names of the failed
tests, and one last line: N passed, N failed.
--list         names the steps
--only <step>  runs this step, and before it the steps that it needs; may be given several times
--slots N      how many steps run at the same time (default: three for two cores); 1 runs them in order
`;

/** Enough to keep the cores busy while tests wait. With two per core, the longest step took a quarter longer. */
const SLOTS_PER_CORE = 1.5;

async function main(args) {
  if (args.includes("--help")) return void process.stdout.write(HELP);
  if (args.includes("--list")) {
    for (const [name, { title }] of Object.entries(STEPS)) process.stdout.write(`${name.padEnd(25)}${title}\n`);
    return;
  }
  const { steps, slots } = parse([...args]);
  const began = Date.now();
  await prepareScratchFolder();
  await ensureNodeModules();
  // Two steps need it in processes of their own, and rustup fails when two install the same target.
  await ensureWasmTarget();
  await restoreSourceTimes();
  const results = Object.fromEntries(Object.keys(steps).map((name) => [name, undefined]));
  const display = new Display();
  try {
    await runSteps(steps, slots, async (name) => {
      results[name] = await perform(steps[name], display);
    });
  } finally {
    display.close();
  }
  const failed = Object.values(results).some((result) => result.failed > 0);
  process.stdout.write(summary(results, (Date.now() - began) / 60_000));
  process.exitCode = failed ? 1 : 0;
}

/** Runs one step, prints its outcome, and returns its result with the seconds that it took. */
async function perform({ title, work, showOutput }, display) {
  const row = display.start(title);
  const result = await work(row.note);
  const succeeded = result.failed === 0;
  const seconds = row.end(succeeded ? "✓" : "✗", `${result.passed} passed, ${result.failed} failed`);
  if (showOutput && succeeded) display.print(result.output.replace(/^(?=.)/gm, "      "));
  for (const failure of result.failures) explain(failure);
  return { ...result, seconds };
}

function parse(args) {
  const only = new Set();
  let slots = Math.ceil(SLOTS_PER_CORE * availableParallelism());
  while (args.length > 0) {
    const [option, value] = args.splice(0, 2);
    if (option === "--slots" && Number(value) > 0) slots = Number(value);
    else if (option === "--only" && STEPS[value]) addWithNeeds(only, value);
    else {
      const names = Object.keys(STEPS).join(", ");
      throw new Error(`Unknown argument: ${option} ${value ?? ""}. Steps: ${names}.\n\n${HELP}`);
    }
  }
  const chosen = Object.entries(STEPS).filter(([name]) => only.size === 0 || only.has(name));
  return { steps: Object.fromEntries(chosen), slots };
}

function addWithNeeds(only, name) {
  only.add(name);
  for (const needed of STEPS[name].needs ?? []) addWithNeeds(only, needed);
}

script(async (args) => {
  try {
    await main(args);
  } finally {
    await stopAll();
  }
});
