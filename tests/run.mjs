// Runs test files in a few worker processes. A worker runs many files in turn and keeps its browsers between them.
import { fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { script } from "../scripts/progress.mjs";
import { root } from "../scripts/setup.mjs";

const HELP = `node tests/run.mjs [options] <file>…

--workers N   how many processes run files at the same time (default 1)
--minutes N   how long a file may take (default 5)
--alone FILE  runs this file in a process of its own; may be given several times
--shuffle N   runs the files in a random order that the number N decides
--times FILE  writes the result and duration of each test to this file, as JSON
`;
const RUNNER = join(root, "tests", "support", "runner");
/** After it has closed its browsers a worker has this long to end by itself. Then something that a test opened is still open. */
const EXIT_TIMEOUT_MS = 30_000;

async function main(args) {
  const options = parse(args);
  if (options === undefined) return void process.stdout.write(HELP);
  const shared = shuffled(
    options.files.filter((file) => !options.alone.includes(file)),
    options.shuffle,
  );
  const run = new Run(options.minutes);
  await Promise.all(
    Array.from({ length: Math.min(options.workers, options.files.length) }, async () => {
      await run.work(shared);
      while (options.alone.length > 0) await run.work([options.alone.shift()]);
    }),
  );
  if (options.times) await writeFile(options.times, JSON.stringify(run.tests));
  for (const problem of run.problems) process.stdout.write(`\n${problem}\n`);
  process.exitCode = run.problems.length > 0 || run.tests.some(({ passed }) => !passed) ? 1 : 0;
}

class Run {
  tests = [];
  problems = [];
  #minutes;

  constructor(minutes) {
    this.#minutes = minutes;
  }

  /** Runs files of the queue in one worker until the queue is empty. */
  async work(queue) {
    if (queue.length === 0) return;
    const worker = startWorker(this.#minutes);
    let file;
    let exitTimer;
    const failures = [];
    // node:test lists the failed tests when it ends, and this worker was ended before. Logs of failed steps show only that list.
    const reportEnded = (problem) =>
      this.problems.push(failures.length > 0 ? ["✖ failing tests:\n", problem, ...failures].join("\n") : problem);
    worker.stdout.pipe(process.stdout, { end: false });
    worker.on("message", ({ test, failure, next, closed, open }) => {
      if (test) this.tests.push({ ...test, file: relative(root, test.file), failure });
      if (failure) failures.push(`\n✖ ${test.name} (${relative(root, test.file)})\n${failure}`);
      if (open) reportEnded(`After its last file a worker did not end. Still open: ${open.join(", ")}`);
      if (closed) exitTimer = setTimeout(() => worker.send({ exit: true }), EXIT_TIMEOUT_MS);
      if (!next) return;
      file = queue.shift();
      worker.send({ file });
    });
    const code = await new Promise((done) => worker.on("exit", (code, signal) => done(code ?? signal)));
    clearTimeout(exitTimer);
    if (file !== undefined) {
      reportEnded(`The worker that ran ${file} ended with ${code}.`);
      await this.work(queue);
    } else if (code !== 0 && this.tests.every(({ passed }) => passed)) {
      this.problems.push(`A worker ended with ${code}, though every test passed.`);
    }
  }
}

function startWorker(minutes) {
  const reporters = [
    ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
    ...[`--test-reporter=${join(RUNNER, "reporter.mjs")}`, "--test-reporter-destination=stderr"],
  ];
  return fork(join(RUNNER, "worker.mjs"), [String(minutes)], {
    cwd: root,
    execArgv: reporters,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

/** The same number gives the same order (xorshift over 32 bits). */
function shuffled(files, seed) {
  if (seed === undefined) return files;
  let state = seed >>> 0 || 1;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return files
    .map((file) => ({ file, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file);
}

function parse(args) {
  const options = { workers: 1, minutes: 5, alone: [], files: [] };
  while (args.length > 0) {
    const argument = args.shift();
    if (argument === "--help") return undefined;
    const name = argument.match(/^--(workers|minutes|shuffle|times|alone)$/)?.[1];
    if (name === undefined) options.files.push(resolve(argument));
    else if (name === "alone") options.alone.push(resolve(args.shift()));
    else options[name] = name === "times" ? args.shift() : Number(args.shift());
  }
  if (options.files.length === 0) throw new Error(`No test file is given.\n\n${HELP}`);
  return options;
}

script(main);
