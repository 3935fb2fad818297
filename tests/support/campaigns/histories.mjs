// A program that runs simulated histories, each made by its seed: those of crates/simulation and crates/edges-simulation.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { join } from "node:path";
import { LINTED } from "../../../scripts/build/server.mjs";
import { CommandFailed, run } from "../../../scripts/processes.mjs";
import { step } from "../../../scripts/progress.mjs";
import { root, targetFolder } from "../../../scripts/setup.mjs";

/** More than any run has, for one that time limits. */
const ANY = 1_000_000;
/** The most histories in which a planted defect has to be found. */
const SEARCHED = 500;
const LONG = { cwd: root, minutes: 120 };

export class Histories {
  #name;
  #defects;

  /** The name of the program, and those of the defects that it can plant. */
  constructor(name, defects) {
    this.#name = name;
    this.#defects = defects;
  }

  /** Compiles it as the tests do, with their features, so that cargo does not compile its dependencies again. */
  async build() {
    const args = ["build", "--profile", "test", "--workspace", "--bin", this.#name, "--test", "corpus"];
    await step("the simulation", (note) => run("cargo", args, { cwd: root, env: LINTED, note }));
  }

  /** Runs histories, and resolves to their figures. Rejects with the seed if an invariant does not hold. */
  async run({ histories = ANY, first = 1, jobs = cpus().length, seconds, twice, defect, full }) {
    const args = ["--histories", String(histories), "--first", String(first), "--jobs", String(jobs)];
    if (seconds) args.push("--seconds", String(seconds));
    if (twice) args.push("--twice");
    if (full) args.push("--full");
    if (defect) args.push("--defect", defect);
    const output = await this.#call(args);
    return JSON.parse(output.split("\n").find((line) => line.startsWith("{")));
  }

  /** Measures, and resolves to the figures. */
  async measure() {
    return JSON.parse(await this.#call(["--measure"]));
  }

  /** Runs one history, and prints everything that happens in it, whether or not an invariant holds. */
  async show({ seed, defect, full }) {
    const args = ["--seed", seed, ...(defect ? ["--defect", defect] : []), ...(full ? ["--full"] : []), "--trace"];
    const output = await this.#call(args).catch((error) => {
      if (!(error instanceof CommandFailed)) throw error;
      return error.output;
    });
    process.stdout.write(output);
  }

  /** Searches for each planted defect, and returns the seeds that found them. */
  async findDefects() {
    const found = [];
    for (const defect of this.#defects) {
      const result = await step(`the defect ${defect}`, () => this.run({ histories: SEARCHED, defect }));
      assert.ok(result.found, `${SEARCHED} histories did not find the defect ${defect}`);
      const { seed, violations } = result.found;
      found.push({ defect, seed, histories: result.histories, violation: violations[0] });
    }
    return found;
  }

  /** As many histories as fit into so many seconds, some of them twice, and the planted defects. The program is built already. */
  async shortForm({ seconds, repeated }) {
    const result = await this.run({ seconds });
    const again = await this.run({ histories: repeated, twice: true });
    assert.equal(again.repeated, repeated);
    const seeds = (await this.findDefects()).map(({ defect, seed }) => `${defect} with seed ${seed}`);
    process.stdout.write(`${this.#name}: ${result.histories} histories, 0 broken; found ${seeds.join(", ")}\n`);
  }

  async #call(args) {
    return run(join(await targetFolder(), "debug", this.#name), args, LONG);
  }
}
