// The figures of the fuzz targets: read from libFuzzer's output, and a row for each in a page of Markdown.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

/** A row of the page: the target, then everything else. */
const ROW = /^\| `([\w-]+)` \| (.+) \|$/gm;

export class Figures {
  /** Target → the rest of its row. */
  #rows = new Map();

  /** The figures that a page has; none if there is no page yet. */
  static async read(file) {
    const figures = new Figures();
    const page = await readFile(file, "utf8").catch(() => "");
    for (const [, target, rest] of page.matchAll(ROW)) figures.#rows.set(target, rest);
    return figures;
  }

  /** The figures of one run of libFuzzer. */
  static of({ target, minutes, files, output }) {
    const number = (pattern) => {
      const found = [...output.matchAll(pattern)].at(-1);
      assert.ok(found, `libFuzzer's output of ${target} does not match ${pattern}`);
      return Number(found[1]);
    };
    const slowest = [...output.matchAll(/^longest input: ([\d.]+) ms/gm)].at(-1);
    return {
      ...{ target, minutes, files },
      executions: number(/^stat::number_of_executed_units:\s+(\d+)/gm),
      covered: number(/ cov: (\d+) /g),
      features: number(/ ft: (\d+) /g),
      found: number(/ corp: (\d+)\//g),
      edges: number(/\((\d+) inline 8-bit counters\)/g),
      longestMs: Number(slowest?.[1] ?? 0),
      memoryMiB: number(/^stat::peak_rss_mb:\s+(\d+)/gm),
    };
  }

  /** Adds the figures of a run, in place of an earlier one. */
  add({ target, minutes, files, executions, covered, features, found, edges, longestMs, memoryMiB }) {
    const perSecond = Math.round(executions / (minutes * 60));
    const date = new Date().toISOString().slice(0, 10);
    const numbers = [
      minutes,
      executions,
      perSecond,
      `${covered} of ${edges}`,
      features,
      found,
      files,
      longestMs,
      memoryMiB,
    ];
    this.#rows.set(target, [...numbers, date].join(" | "));
  }

  /** The page. */
  page(cores) {
    const rows = [...this.#rows].sort().map(([target, rest]) => `| \`${target}\` | ${rest} |`);
    return `# Arbitrary bytes against the parsers and the rules

\`npm run campaign -- fuzz\` on ${cores} cores, with libFuzzer: an input that takes over a second, or 1,024 MiB of memory, fails. The first
comment of each file in \`crates/fuzz/src/targets\` lists the invariants that hold for every input. No target has an input that fails.

A row is the last run of its target: inputs executed, edges of the program's code that they reached, with how often (features), inputs
that libFuzzer kept, and files that are in the repository.

| target | minutes | inputs | per second | edges | features | kept | files | longest, ms | memory, MiB | date |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
${rows.join("\n")}
`;
  }
}
