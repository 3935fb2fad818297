// A large database, 100 organisations with 100,000 rules: startup time, memory, and the time of a flip.
import assert from "node:assert/strict";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { buildRelease, inFolder, median, seedDemo, serve } from "./release/server.mjs";

const STARTS = 5;
const FLIPS = 200;
const READY_MS = 2_000;
const MEMORY_MIB = 300;
const RESULT = join(root, "docs", "campaigns", "start.md");

/** Builds, fills a database, starts the server on it, checks the limits, and writes the figures to docs/campaigns/start.md. */
export async function campaign() {
  const binaries = await buildRelease("large-database");
  const small = await inFolder(async (folder) => {
    const { database, token } = await seedDemo(binaries, folder);
    return measure(binaries, folder, database, token, "new-checkout");
  });
  const large = await inFolder(async (folder) => {
    const file = join(folder, "flagservice.db");
    const database = `sqlite:${file}`;
    const fill = [database, join(folder, "flagservice.key")];
    const output = await step("100 organisations with 100,000 rules", (note) => {
      return run(join(binaries, "large-database"), fill, { note, minutes: 20 });
    });
    const token = output.split("\n").find((line) => line.startsWith("api-"));
    const figures = await measure(binaries, folder, database, token, "feature-000");
    return { ...figures, megabytes: (await stat(file)).size / 1e6 };
  });
  const text = report(small, large);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.ok(Math.max(...large.starts) < READY_MS, `a start took ${Math.max(...large.starts).toFixed(0)} ms`);
  assert.ok(large.peak < MEMORY_MIB, `the server used ${large.peak.toFixed(0)} MiB`);
}

/** Starts several times, then flips a feature on the last server. */
async function measure(binaries, folder, database, token, feature) {
  const starts = [];
  let server;
  await step(`${STARTS} starts`, async () => {
    for (let number = 0; number < STARTS; number += 1) {
      await server?.stop();
      server = await serve(binaries, folder, database);
      starts.push(server.startMs);
    }
  });
  const ready = server.memory();
  const path = `/api/v1/projects/shop/features/${feature}/environments/production`;
  const before = server.cpuMicroseconds();
  const flips = [];
  for (let number = 0; number < FLIPS; number += 1) {
    const startedAt = performance.now();
    await server.request(token, "PATCH", path, { enabled: number % 2 === 1 });
    flips.push(performance.now() - startedAt);
  }
  const cpu = (server.cpuMicroseconds() - before) / FLIPS;
  const figures = { starts, flips, cpu, ready, flipped: server.memory(), peak: server.memory("VmHWM") };
  await server.stop();
  return figures;
}

function report(small, large) {
  const row = (name, figure) => `| ${name} | ${figure(small)} | ${figure(large)} |`;
  return `# A start with 100 organisations and 100,000 rules

\`npm run campaign -- start\`. \`crates/campaigns/src/bin/large-database.rs\` creates the database through the
application's functions: 100 organisations,
each with a project of 250 features in 2 environments and two rules for each of them (five countries and the end of a string, split
in two; everyone, split in three). So each organisation has 1,000 rules. With audit log and outbox the database
has ${large.megabytes.toFixed(0)} MB. The demo's database is measured for comparison. ${STARTS} starts, with files in the system's \
cache; then ${FLIPS} flips of one
feature over REST. Release build, SQLite, loopback, ${cpus().length} cores.

| | demo | 100,000 rules | must be |
|---|--:|--:|--:|
${row("from spawn to ready, median, ms", ({ starts }) => median(starts).toFixed(0))} |
${row("from spawn to ready, longest, ms", ({ starts }) => Math.max(...starts).toFixed(0))} under ${READY_MS} |
${row("memory when ready, MiB", ({ ready }) => ready.toFixed(0))} |
${row("memory after the flips, MiB", ({ flipped }) => flipped.toFixed(0))} |
${row("memory at most, MiB", ({ peak }) => peak.toFixed(0))} under ${MEMORY_MIB} |
${row("flip, median, ms", ({ flips }) => median(flips).toFixed(1))} |
${row("flip, p99, ms", ({ flips }) => percentile(flips, 0.99).toFixed(1))} |
${row("CPU for a flip, ms", ({ cpu }) => (cpu / 1000).toFixed(2))} |

A flip recompiles only one feature; \`crates/server/tests/recompilation.rs\` proves this in every test run.
`;
}
