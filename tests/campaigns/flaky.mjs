// Every test suite ten times, the files in random order, on a busy machine: all rounds have to pass.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, constants, cpus, setPriority } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run, start } from "../../scripts/processes.mjs";
import { explain, step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";

const ROUNDS = 10;
const SHORT_ROUNDS = 2;
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
/** The same in each clone, unlike the number that git takes by itself. */
const COMMIT_DIGITS = 8;
/** In a row of the figures. */
const PASSED = "yes";
const RESULT = join(root, "docs", "campaigns", "flaky.md");

/**
 * Runs the rounds, prints the output of each failure, and writes the figures to docs/campaigns/flaky.md. `--rounds N` runs some of the
 * ten, whose rows are added to those of the same sources. Names of steps run these alone, and `--short` runs two rounds; both leave the
 * figures as they are.
 */
export async function campaign(args = []) {
  const { values: options, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { short: { type: "boolean" }, rounds: { type: "string" } },
  });
  const rounds = options.short ? SHORT_ROUNDS : Number(options.rounds ?? ROUNDS);
  if (!(rounds >= 1)) throw new Error(`--rounds needs a number of rounds from 1, not ${options.rounds}.`);
  const suites = positionals.length > 0 ? positionals : SUITES;
  const isKept = !options.short && positionals.length === 0;
  const sources = await sourcesOf();
  const results = [];
  for (let round = 1; round <= rounds; round += 1) {
    results.push(await runRound(round, rounds, suites));
    if (isKept) await writeFile(RESULT, report([...(await rowsOf(sources)), row(sources, results.at(-1))]));
  }
  process.stdout.write(report(results.map((result) => row(sources, result))));
  const failed = results.filter(({ failure }) => failure);
  assert.equal(failed.length, 0, `${failed.length} of ${rounds} rounds failed`);
}

/** The last commit that changed more than the documentation. */
async function sourcesOf() {
  const commit = await run("git", ["log", "-1", "--format=%H", "--", ".", ":(exclude)docs"], { cwd: root });
  return commit.slice(0, COMMIT_DIGITS);
}

/** The rows of earlier rounds with the same sources. */
async function rowsOf(sources) {
  const text = await readFile(RESULT, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line.startsWith(`| ${sources} |`));
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
    result.counts = failure.output?.match(/^\d+ passed, \d+ failed$/m)?.[0] ?? failure.message.split("\n")[0];
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

function row(sources, { order, minutes, counts, failure }) {
  const today = new Date().toISOString().slice(0, 10);
  return `| ${sources} | ${today} | ${order} | ${minutes.toFixed(1)} | ${failure ? "no" : PASSED} | ${counts} |`;
}

function report(rows) {
  const passed = rows.filter((one) => one.includes(`| ${PASSED} |`)).length;
  return `# Every suite, again and again

\`npm run campaign -- flaky\`. Each round runs the test suites with their files in a random order, ${SLOTS_PER_CORE} suites per
core at the same time, while one more process per core computes at a lower priority: no core is ever idle. ${cpus().length} cores.

| Sources | date | order | minutes | passed | tests |
|---|---|--:|--:|---|---|
${rows.join("\n")}

${passed} of ${rows.length} rounds passed.
`;
}
