// A copy of 200 features with ten rules each, each in its own transaction: how long the request takes.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { AUDIENCES, condition, featureKey, numbers, project, RULES } from "../support/server/large-project.mjs";
import { buildRelease, fetchBytes, inFolder, seedDemo, serve } from "./release/server.mjs";

const FEATURES = 200;
/** The maximum of one request. */
const MAX_FEATURES = 1_000;
const ROUNDS = 20;
const MAX_MS = 2_000;
const SOURCES = ["staging", "development"];
const RESULT = join(root, "docs", "campaigns", "copy-speed.md");

/** Builds, imports a project, copies, checks the limits, and writes the figures to docs/campaigns/copy-speed.md. */
export async function campaign() {
  const binaries = await buildRelease();
  const figures = await inFolder(async (folder) => {
    const { database, token } = await seedDemo(binaries, folder);
    const file = join(folder, "project.json");
    await writeFile(file, JSON.stringify(copied()));
    const load = ["import", file, "--database-url", database, "--organisation", "Acme"];
    await step(`${MAX_FEATURES} features`, (note) => {
      return run(join(binaries, "flagservice-server"), load, { cwd: folder, note });
    });
    const server = await serve(binaries, folder, database);
    const measured = [];
    for (const [features, rounds] of [
      [FEATURES, ROUNDS],
      [MAX_FEATURES, 4],
    ]) {
      for (const kind of ["without a key", "with a key", "dry run"]) {
        const name = `${rounds} copies of ${features} features, ${kind}`;
        measured.push(await step(name, () => measure(server, token, { features, rounds, kind })));
      }
    }
    const memory = server.memory("VmHWM");
    await server.stop();
    return { measured, memory };
  });
  const text = report(figures);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  for (const { features, kind, took } of figures.measured.filter(({ features }) => features === FEATURES)) {
    const longest = Math.max(...took);
    assert.ok(longest < MAX_MS, `${features} features, ${kind}: one request took ${longest.toFixed(0)} ms`);
  }
}

/** Two source environments that differ in every feature, and a target. */
function copied() {
  const environments = [...SOURCES, "production"].map((key) => ({
    key,
    production: key === "production",
    approvalRequired: false,
  }));
  const audience = {
    key: "testers",
    name: "Testers",
    environmentKey: "staging",
    conditions: [condition("team", "in", ["qa"])],
  };
  return project({
    key: "many",
    features: MAX_FEATURES,
    environments,
    moved: (environment) => environment === "staging",
    gated: false,
    audiences: [audience],
    ofAudience: (environment, place) => (environment === "staging" && place === RULES - 2 ? audience.key : undefined),
  });
}

/** Copies repeatedly, alternating between the sources, so that every feature changes each time. */
async function measure(server, token, { features, rounds, kind }) {
  const url = `${server.base}/api/v1/projects/many/environments/copy`;
  const took = [];
  const cpu = server.cpuMicroseconds();
  for (let round = 0; round < rounds; round += 1) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    if (kind === "with a key") headers["idempotency-key"] = `${features} ${round}`;
    const body = JSON.stringify({
      source: SOURCES[kind === "dry run" ? 0 : round % SOURCES.length],
      target: "production",
      featureKeys: numbers(features).map(featureKey),
      settings: { enabled: true, offVariantKey: true, rules: true },
      comment: "As tested this week.",
      dryRun: kind === "dry run",
    });
    const startedAt = performance.now();
    const result = JSON.parse(await fetchBytes(url, headers, { method: "POST", body }));
    took.push(performance.now() - startedAt);
    const applied = result.results.filter(({ outcome }) => outcome === "APPLIED").length;
    assert.equal(applied, features, `round ${round}`);
  }
  return { features, kind, took, cpuMs: (server.cpuMicroseconds() - cpu) / 1000 / rounds };
}

function report({ measured, memory }) {
  const row = ({ features, kind, took, cpuMs }) => {
    const figures = [percentile(took, 0.5), Math.max(...took), cpuMs].map((number) => number.toFixed(0));
    const each = (percentile(took, 0.5) / features).toFixed(2);
    return `| ${features} | ${kind} | ${took.length} | ${figures[0]} | ${figures[1]} | ${each} | ${figures[2]} |`;
  };
  return `# A copy of ${FEATURES} features

\`npm run campaign -- copy-speed\`. A project of ${MAX_FEATURES} features with ${RULES} rules in each of three environments and \
${AUDIENCES} audiences;
all three settings are copied to production, alternating between staging and development, so that each feature differs each time.
Requests run one at a time over REST. Each feature has its own transaction, which waits for the disk. Milliseconds from
the request to the last byte of the response. Release build, SQLite, loopback, ${cpus().length} cores, which client and server share.

| features | request | runs | p50, ms | longest, ms | p50 per feature, ms | CPU of the server, ms |
|--:|---|--:|--:|--:|--:|--:|
${measured.map(row).join("\n")}

Each request with ${FEATURES} features must take less than ${MAX_MS} ms; a request has at most ${MAX_FEATURES} features. The server used \
at most
${memory.toFixed(0)} MiB. With an \`Idempotency-Key\`, each transaction also stores the outcomes so far.
`;
}
