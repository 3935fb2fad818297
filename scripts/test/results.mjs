// Kinds of steps: single checks, cargo's tests, node's tests. Each gives its counts, failures, output, and tests with durations.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../processes.mjs";
import { root } from "../setup.mjs";

/** No command of a step takes longer. */
const COMMAND_MINUTES = 90;

/** What a step has found. */
class Result {
  passed = 0;
  failed = 0;
  failures = [];
  output = "";
  /** `{ name, file, milliseconds }` of each test whose duration is known. */
  tests = [];
  /** `{ name, file, failure }` of each failed test, as far as the step tells. `failure` is what the test said. */
  failedTests = [];
}

/** Runs a command of a step in the repository's folder. */
export function command(name, args, options) {
  return run(name, args, { cwd: root, minutes: COMMAND_MINUTES, ...options });
}

/** Every function of the list is a check, which counts as one test. A later one runs even if an earlier one failed. */
export function checks(...list) {
  return async (note) => {
    const result = new Result();
    for (const check of list) await attempt(result, () => check(note));
    result.failed = result.failures.length;
    result.passed = list.length - result.failed;
    return result;
  };
}

/**
 * Work whose output tells the counts: `patterns` has regular expressions for the numbers of `passed` and `failed` tests and, where
 * the output has it, for the name of a test with a `failure`.
 */
export function counted(patterns, work) {
  return async (note) => {
    const result = new Result();
    await attempt(result, () => work(note));
    result.passed = sum(result.output, patterns.passed);
    result.failed = sum(result.output, patterns.failed);
    if (patterns.failure)
      result.failedTests = [...result.output.matchAll(patterns.failure)].map(([, name]) => {
        return { name, failure: failureOf(name, result.output) };
      });
    return checked(result);
  };
}

/**
 * Test files of node:test. `workers` processes run them, and each file may take that many `minutes`. The files `alone` get a process
 * of their own. `before()` makes sure that everything is installed.
 */
export function nodeTests({ files, before = () => {}, workers = 1, minutes = 30, alone = [], env }) {
  return async (note) => {
    const result = new Result();
    const folder = await mkdtemp(join(tmpdir(), "flagservice-times-"));
    const times = join(folder, "times.json");
    await attempt(result, async () => {
      await before();
      const options = ["--workers", workers, "--minutes", minutes, "--times", times].map(String);
      const order = process.env.FLAGSERVICE_TEST_ORDER;
      if (order) options.push("--shuffle", order);
      for (const file of alone) options.push("--alone", file);
      return command("node", [join("tests", "run.mjs"), ...options, ...(await files())], { env, note });
    });
    result.tests = JSON.parse(await readFile(times, "utf8").catch(() => "[]"));
    await rm(folder, { recursive: true, force: true });
    result.failedTests = result.tests.filter(({ passed }) => !passed);
    result.failed = result.failedTests.length;
    result.passed = result.tests.length - result.failed;
    return checked(result);
  };
}

/** The test files of a folder, without those in the folders of `except`. */
export async function testFiles(folder, { except = [] } = {}) {
  const names = await readdir(join(root, folder), { recursive: true });
  const files = names
    .filter((name) => name.endsWith(".test.mjs") && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .filter((file) => !except.some((other) => file.startsWith(other)));
  if (files.length === 0) throw new Error(`${folder} has no *.test.mjs.`);
  return files.sort();
}

async function attempt(result, work) {
  try {
    result.output = (await work()) ?? "";
  } catch (error) {
    result.failures.push(error);
    result.output = error.output ?? "";
  }
}

/** A command that failed beside its tests counts as one failed test, and so does a step that ran no test. */
function checked(result) {
  if (result.failures.length === 0 && result.passed === 0) result.failures.push(new Error("No test ran."));
  if (result.failures.length > 0) result.failed = Math.max(result.failed, 1);
  return result;
}

/** What cargo shows of a failed test: the lines below its name, until those of the next. */
function failureOf(name, output) {
  const [, text] = output.split(`\n---- ${name} stdout ----\n`);
  return text?.split(/\n---- |\n\nfailures:\n/, 1)[0].trim();
}

function sum(output, pattern) {
  return [...output.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
}
