// Arbitrary bytes against every parser and the rules: libFuzzer, guided by coverage, with the invariants of crates/fuzz.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LINTED } from "../../scripts/build/server.mjs";
import { CommandFailed, run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root, targetFolder } from "../../scripts/setup.mjs";
import { Figures } from "./fuzz/figures.mjs";

const FOLDER = join(root, "crates", "fuzz");
const CORPUS = join(FOLDER, "corpus");
const RESULT = join(root, "docs", "campaigns", "fuzz.md");
const MINUTES = 10;
/** libFuzzer ends a run between two inputs; building the list of the corpus takes some seconds. */
const GRACE_MINUTES = 2;
const LIMITS = ["-timeout=1", "-rss_limit_mb=1024", "-max_len=4096"];
/** Of a corpus in the repository. */
const MAX_FILES = 400;
/** The time limit is meant for the engine of patterns as it is released: the tests optimise their dependencies less. */
const OPTIMISED = ["--config", "profile.test.package.regex-automata.opt-level=3"];
/** rustc that instruments the crates of this workspace. */
const RUSTC = join(import.meta.dirname, "fuzz", "rustc-with-coverage.mjs");

/**
 * Runs each target for ten minutes, or `--minutes N`, as many at the same time as there are cores, or only each `--target NAME`, and
 * writes the figures to docs/campaigns/fuzz.md. `--corpus` then replaces the corpus in the repository by the smallest one with the
 * same coverage. With `--short`: the test that replays the corpus, as `cargo test --workspace` runs it, no figures.
 */
export async function campaign(args = []) {
  const options = {
    minutes: { type: "string" },
    target: { type: "string", multiple: true },
    corpus: { type: "boolean" },
  };
  const { values } = parseArgs({ args, options: { ...options, short: { type: "boolean" } } });
  if (values.short) return shortForm();
  const minutes = Number(values.minutes ?? MINUTES);
  assert.ok(minutes > 0, "--minutes must be a number above 0");
  const known = (await readdir(CORPUS)).sort();
  const targets = values.target ?? known;
  for (const target of targets) assert.ok(known.includes(target), `no target ${target}; targets: ${known.join(", ")}`);
  const programs = await step("fuzz targets with coverage", (note) => build(targets, note));
  const figures = await Figures.read(RESULT);
  const failures = [];
  const work = targets.map((target) => async () => {
    const result = await fuzz(programs, target, minutes, values.corpus === true).catch((error) => failures.push(error));
    if (result.target) figures.add(result);
  });
  await Promise.all(cpus().map(() => next(work)));
  await writeFile(RESULT, figures.page(cpus().length));
  for (const { message, output } of failures) process.stdout.write(`${message}\n${output ?? ""}\n`);
  assert.equal(
    failures.length,
    0,
    `${failures.length} targets failed. Add the input that fails to the corpus, and fix its cause.`,
  );
}

async function next(work) {
  for (let task = work.shift(); task; task = work.shift()) await task();
}

async function shortForm() {
  const output = await run("cargo", ["test", "--workspace", "--test", "corpus"], { cwd: root, env: LINTED });
  process.stdout.write(output);
}

/** Compiles the programs of these targets, and resolves to their folder. The crates of others are those of the tests. */
async function build(targets, note) {
  const bins = targets.flatMap((target) => ["--bin", `fuzz-${target}`]);
  const args = [
    "build",
    "--profile",
    "test",
    "-p",
    "flagservice-fuzz",
    "--features",
    "libfuzzer",
    ...OPTIMISED,
    ...bins,
  ];
  await run("cargo", args, { cwd: root, env: { RUSTC_WORKSPACE_WRAPPER: RUSTC }, note });
  return join(await targetFolder(), "debug");
}

/** Runs a target, and returns its figures. An input that fails stays in the folder of the programs. */
async function fuzz(programs, target, minutes, keep) {
  const program = join(programs, `fuzz-${target}`);
  const folder = await mkdtemp(join(tmpdir(), "flagservice-fuzz-"));
  const artifacts = join(programs, "fuzz-artifacts", target);
  await mkdir(artifacts, { recursive: true });
  try {
    const corpus = join(folder, "corpus");
    await cp(join(CORPUS, target), corpus, { recursive: true });
    const dictionary = join(FOLDER, "dictionaries", `${target}.dict`);
    const words = (await stat(dictionary).catch(() => undefined)) ? [`-dict=${dictionary}`] : [];
    const time = [
      `-max_total_time=${Math.round(minutes * 60)}`,
      "-print_final_stats=1",
      `-artifact_prefix=${artifacts}/`,
    ];
    const settings = { cwd: root, env: { TMPDIR: folder }, minutes: minutes + GRACE_MINUTES };
    const output = await step(`${target}, ${minutes} min`, (note) =>
      run(program, [...LIMITS, ...words, ...time, corpus], { ...settings, note }),
    );
    if (keep)
      await step(`${target}: its smallest corpus`, (note) => minimise(program, target, corpus, { ...settings, note }));
    const files = (await readdir(join(CORPUS, target))).length;
    return Figures.of({ target, minutes, files, output });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw Object.assign(error, { output: error.output.split("\n").slice(-60).join("\n") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaces the corpus in the repository by the smallest one with the coverage of `corpus`, if that has few files. */
async function minimise(program, target, corpus, settings) {
  const smallest = `${corpus}-smallest`;
  await mkdir(smallest);
  await run(program, [...LIMITS, "-set_cover_merge=1", smallest, corpus], settings);
  const files = await readdir(smallest);
  assert.ok(
    files.length <= MAX_FILES,
    `the corpus of ${target} would have ${files.length} files, and may have ${MAX_FILES}`,
  );
  await rm(join(CORPUS, target), { recursive: true });
  await cp(smallest, join(CORPUS, target), { recursive: true });
}
