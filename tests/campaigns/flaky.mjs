// Every test suite ten times, the files in random order, on a busy machine: all rounds have to pass.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, constants, cpus, setPriority } from "node:os";
import { join } from "node:path";
import { run, start } from "../../scripts/processes.mjs";
import { explain, step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";

const ROUNDS = { "--short": 2, full: 10 };
/** A round that takes longer has failed. */
const ROUND_MINUTES = 60;
/** Steps of npm test, without those that only build or check. */
const SUITES = [
  ...["rust", "admin", "client-chromium", "client-chromium-no-wasm", "client-firefox", "client-firefox-no-wasm"],
  ...["client-webkit", "client-webkit-no-wasm"],
  ...["react", "openfeature", "contract", "e2e", "examples", "docs", "packaging", "destination", "javascript"],
  ...["headless-chromium", "headless-firefox"],
];
/** Steps that run at the same time, for each core: twice as many as in npm test. */
const SLOTS_PER_CORE = 3;
/** Uses one core as much as others let it. */
const BUSY = "for (;;);";
const RESULT = join(root, "docs", "campaigns", "flaky.md");

/**
 * Runs the rounds, prints the output of each failure, and writes the figures to docs/campaigns/flaky.md. Names of steps run these alone,
 * and `--short` runs two rounds; both leave the figures as they are.
 */
export async function campaign(args = []) {
  const rounds = args.includes("--short") ? ROUNDS["--short"] : ROUNDS.full;
  const chosen = args.filter((argument) => argument !== "--short");
  const suites = chosen.length > 0 ? chosen : SUITES;
  const results = [];
  for (let round = 1; round <= rounds; round += 1) results.push(await runRound(round, rounds, suites));
  const text = report(results);
  process.stdout.write(text);
  if (args.length === 0) await writeResult(text);
  const failed = results.filter(({ failure }) => failure);
  assert.equal(failed.length, 0, `${failed.length} of ${rounds} rounds failed`);
}

async function runRound(round, rounds, suites) {
  const order = randomInt(1, 2 ** 31);
  const load = Array.from({ length: availableParallelism() }, startLoad);
  const began = Date.now();
  const result = { round, order, counts: "", failure: undefined };
  const work = async (note) => {
    const only = suites.flatMap((suite) => ["--only", suite]);
    const env = { FLAGSERVICE_TEST_ORDER: String(order) };
    const slots = ["--slots", String(SLOTS_PER_CORE * availableParallelism())];
    const output = await run("node", [join("scripts", "test.mjs"), ...slots, ...only], {
      cwd: root,
      env,
      minutes: ROUND_MINUTES,
      note,
    });
    result.counts = output.trimEnd().split("\n").at(-1);
  };
  try {
    await step(`round ${round} of ${rounds}, order ${order}`, work);
  } catch (failure) {
    result.failure = failure;
    result.counts = failure.output?.match(/\d+ passed, \d+ failed\s*$/)?.[0].trim() ?? failure.message;
    explain(failure);
    if (failure.output) await writeLog(round, failure.output);
  } finally {
    await Promise.all(load.map(({ stop }) => stop("SIGKILL")));
  }
  return { ...result, minutes: (Date.now() - began) / 60_000 };
}

/** A process that takes what the tests leave of a core, so that no core is ever idle. */
function startLoad() {
  const load = start(process.execPath, ["--eval", BUSY]);
  setPriority(load.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return load;
}

/** The whole output of a failed round. */
async function writeLog(round, output) {
  const file = join(root, "dist", "flaky", `round-${round}.log`);
  await mkdir(join(root, "dist", "flaky"), { recursive: true });
  await writeFile(file, output);
  process.stdout.write(`The whole output: ${file}\n`);
}

async function writeResult(text) {
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
}

function report(results) {
  const passed = results.filter(({ failure }) => !failure).length;
  const rows = results.map(
    ({ round, order, minutes, counts }) => `| ${round} | ${order} | ${minutes.toFixed(1)} | ${counts} |`,
  );
  return `# Every suite, again and again

\`npm run campaign -- flaky\`. Each round runs the test suites with their files in a random order, ${SLOTS_PER_CORE} suites per
core at the same time, while one more process per core computes at a lower priority: no core is ever idle. ${cpus().length} cores.

| Round | order | minutes | tests |
|--:|--:|--:|---|
${rows.join("\n")}

${passed} of ${results.length} rounds passed.
`;
}
