// Cargo's tests, with a PostgreSQL cluster of their own.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { LINTED } from "../build/server.mjs";
import { startPostgres } from "../postgres.mjs";
import { COUNTS_STATEMENTS, everyStatementHasRun } from "./postgres-statements.mjs";
import { command, counted } from "./results.mjs";

/** How cargo, and wasm-bindgen's test runner, count and name. */
export const CARGO_COUNTS = {
  passed: /^test result: .*?(\d+) passed/gm,
  failed: /^test result: .*?(\d+) failed/gm,
  failure: /^test (.+) \.\.\. FAIL(?:ED)?$/gm,
};

/** A server's tests wait most of the time: for answers, for PostgreSQL, for the disk. */
const THREADS_PER_CORE = 3;

export function rustTests() {
  return async (note) => {
    const folder = await mkdtemp(join(tmpdir(), "flagservice-times-"));
    const times = join(folder, "times.jsonl");
    try {
      const result = await counted(CARGO_COUNTS, (note) =>
        cargoTestWithPostgres([], {
          note,
          env: { FLAGSERVICE_TEST_TIMES: times },
          settings: COUNTS_STATEMENTS,
          check: everyStatementHasRun,
        }),
      )(note);
      const lines = (await readFile(times, "utf8").catch(() => "")).split("\n").filter(Boolean);
      return Object.assign(result, { tests: lines.map((line) => JSON.parse(line)) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Runs `cargo test` with a cluster, and then `check` with the cluster's URL. */
export async function cargoTestWithPostgres(args, { note, env, settings = [], check = () => {} }) {
  // The cluster has dozens of databases for a few minutes, and autovacuum would look at one each second.
  const postgres = await startPostgres(note, ["autovacuum=off", ...settings]);
  try {
    const own = {
      ...LINTED,
      FLAGSERVICE_TEST_POSTGRES: postgres.url,
      FLAGSERVICE_TEST_REQUIRE_POSTGRES: "1",
      RUST_TEST_THREADS: String(THREADS_PER_CORE * availableParallelism()),
    };
    const tests = ["test", "--workspace", "--no-fail-fast", ...args];
    const output = await command("cargo", tests, { env: { ...own, ...env }, note });
    try {
      await check(postgres.url);
    } catch (error) {
      throw Object.assign(error, { output });
    }
    return output;
  } finally {
    await postgres.stop();
  }
}
