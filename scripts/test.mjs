// Every check of the repository, one step after the other: what runs, how long it took, and how many tests passed.
import { CommandFailed, endAll } from "./processes.mjs";
import { explain, script, step } from "./progress.mjs";
import { ensureNodeModules } from "./setup.mjs";
import { STEPS } from "./steps.mjs";

const HELP = `npm test -- [--list] [--only <step>]…

Runs every check, also after one has failed, and ends with one line: N passed, N failed.
--list         names the steps
--only <step>  runs this step, and before it the builds that it needs; may be given several times
`;

/** Runs one step; answers with its numbers of passed and failed tests and its failures. */
async function perform({ title, checks = [], counts, work, shows }) {
  const result = { passed: 0, failed: 0, failures: [], output: "" };
  const attempt = async (check) => {
    try {
      result.output = await check();
      return true;
    } catch (error) {
      result.failures.push(error);
      result.output = error.output ?? "";
      return false;
    }
  };
  const perform = async (note) => {
    for (const check of checks) result[(await attempt(() => check(note))) ? "passed" : "failed"] += 1;
    if (work) {
      const ended = await attempt(() => work(note));
      result.passed += sum(result.output, counts.passed);
      result.failed += sum(result.output, counts.failed);
      // A step that broke before or beside its tests counts as one that failed, and so does one without a test.
      if (ended && result.passed === 0) result.failures.push(new CommandFailed(title, "ran no test", result.output));
      if (result.failures.length > 0) result.failed = Math.max(result.failed, 1);
    }
    if (result.failures.length > 0) throw new Error(title);
  };
  await step(title, perform).catch(() => {});
  process.stdout.write(`      ${result.passed} passed, ${result.failed} failed\n`);
  if (shows && result.failures.length === 0) process.stdout.write(result.output.replace(/^(?=.)/gm, "      "));
  for (const failure of result.failures) explain(failure);
  return result;
}

function sum(output, pattern) {
  let total = 0;
  for (const [, number] of output.matchAll(pattern)) total += Number(number);
  return total;
}

function chosen(args) {
  const only = [];
  while (args.length > 0) {
    const [option, name] = args.splice(0, 2);
    if (option !== "--only" || !STEPS[name]) {
      throw new Error(`${option} ${name ?? ""} is not understood. Steps: ${Object.keys(STEPS).join(", ")}.\n\n${HELP}`);
    }
    only.push(name, ...(STEPS[name].needs ?? []));
  }
  return Object.entries(STEPS).filter(([name]) => only.length === 0 || only.includes(name));
}

async function main(args) {
  if (args.includes("--help")) return void process.stdout.write(HELP);
  if (args.includes("--list")) {
    for (const [name, { title }] of Object.entries(STEPS)) process.stdout.write(`${name.padEnd(25)}${title}\n`);
    return;
  }
  const steps = chosen([...args]);
  const began = Date.now();
  await ensureNodeModules();
  let passed = 0;
  let failed = 0;
  const broken = [];
  for (const [name, work] of steps) {
    const result = await perform(work);
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) broken.push(name);
  }
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  process.stdout.write(`\n${minutes} minutes${broken.length > 0 ? `; failed: ${broken.join(", ")}` : ""}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

script(async (args) => {
  try {
    await main(args);
  } finally {
    await endAll();
  }
});
