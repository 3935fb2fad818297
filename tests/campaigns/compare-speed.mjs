// A comparison of 1,000 features with ten rules in each of two environments: time and size of the response.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { AUDIENCES, PIPELINES, project, RULES } from "../support/server/large-project.mjs";
import { buildRelease, fetchBytes, inFolder, seedDemo, serve } from "./release/server.mjs";

const FEATURES = 1_000;
const WARM_UP = 10;
const COMPARISONS = 200;
const P50_MS = 25;
const RESULT = join(root, "docs", "campaigns", "compare-speed.md");

/** The compared projects: in one, every third feature differs, in the other, every feature. */
const PROJECTS = { third: 3, all: 1 };

/** Builds, imports the projects, compares, checks the limits, and writes the figures to docs/campaigns/compare-speed.md. */
export async function campaign() {
  const binaries = await buildRelease();
  const figures = await inFolder(async (folder) => {
    const { database, token } = await seedDemo(binaries, folder);
    for (const [key, every] of Object.entries(PROJECTS)) {
      const file = join(folder, `${key}.json`);
      await writeFile(file, JSON.stringify(compared(key, every)));
      const load = ["import", file, "--database-url", database, "--organisation", "Acme"];
      await step(`${FEATURES} features, one of ${every} differs`, (note) => {
        return run(join(binaries, "flagservice-server"), load, { cwd: folder, note });
      });
    }
    const server = await serve(binaries, folder, database);
    const measured = {};
    for (const key of Object.keys(PROJECTS)) {
      for (const encoding of ["identity", "gzip"]) {
        measured[`${key} ${encoding}`] = await step(`${COMPARISONS} comparisons, ${key} differ, ${encoding}`, () =>
          measure(server, token, key, encoding, join(folder, "server.log")),
        );
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
  for (const [name, { server }] of Object.entries(figures.measured)) {
    const p50 = percentile(server, 0.5);
    assert.ok(p50 < P50_MS, `${name}: p50 in the server is ${p50.toFixed(1)} ms`);
  }
}

/** The milliseconds of the first comparison of each project. */
function first(measured) {
  const uncompressed = Object.entries(measured).filter(([name]) => name.endsWith("identity"));
  return uncompressed.map(([, { first }]) => first.toFixed(0)).join(" and ");
}

/** Two environments. Every n-th feature has another percentage in its last rule. */
function compared(key, every) {
  const environments = ["staging", "production"].map((environment) => ({
    key: environment,
    production: environment === "production",
    approvalRequired: environment === "production",
  }));
  const moved = (environment, feature) => environment === "production" && feature % every === 0;
  return project({ key, features: FEATURES, environments, moved, gated: true });
}

/** Compares repeatedly. Measures bytes, milliseconds until the response is complete, and those in the server's log. */
async function measure(server, token, project, encoding, log) {
  const url = `${server.base}/api/v1/projects/${project}/environments/compare?source=staging&target=production`;
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": encoding };
  let body;
  const start = (await logged(log)).length;
  for (let number = 0; number < WARM_UP; number += 1) body = await fetchBytes(url, headers);
  const before = (await logged(log)).length;
  const first = (await logged(log))[start];
  const cpu = server.cpuMicroseconds();
  const client = [];
  for (let number = 0; number < COMPARISONS; number += 1) {
    const startedAt = performance.now();
    body = await fetchBytes(url, headers);
    client.push(performance.now() - startedAt);
  }
  const cpuMs = (server.cpuMicroseconds() - cpu) / 1000 / COMPARISONS;
  const durations = (await logged(log)).slice(before);
  assert.equal(durations.length, COMPARISONS, "the log has a line for each comparison");
  if (encoding === "identity") {
    const { different, identical } = JSON.parse(body);
    const expected = Math.ceil(FEATURES / PROJECTS[project]);
    assert.deepEqual({ different, identical }, { different: expected, identical: FEATURES - expected });
  }
  return { client, server: durations, cpuMs, bytes: body.length, first };
}

/** The milliseconds of all comparisons that the server has logged. */
async function logged(log) {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.includes("/environments/compare"));
  return lines.map((line) => Number(line.match(/milliseconds\W+([\d.]+)/)[1]));
}

function report({ measured, memory }) {
  const row = ([name, { server, client, cpuMs, bytes }]) => {
    const [share, encoding] = name.split(" ");
    const times = [server, client].flatMap((numbers) => [0.5, 0.99].map((at) => percentile(numbers, at).toFixed(1)));
    const figures = [...times, cpuMs.toFixed(1), (bytes / 1e3).toFixed(0)].join(" | ");
    return `| ${share === "all" ? "all" : "a third"} | ${encoding} | ${figures} |`;
  };
  return `# A comparison of ${FEATURES} features

\`npm run campaign -- compare-speed\`. A project of ${FEATURES} features with ${RULES} rules in each of two environments (three for saved
audiences, seven with two conditions), ${AUDIENCES} audiences, ${PIPELINES} pipelines; ${COMPARISONS} comparisons over REST, one at a \
time. *In the server*
is the duration in its log: from the request to the start of the response, when everything is read, compared and serialised. *At the \
client* is
until the last byte. Release build, SQLite, loopback, ${cpus().length} cores, which client and server share.

| features that differ | encoding | in the server, p50, ms | p99 | at the client, p50, ms | p99 | CPU, ms | kB |
|---|---|--:|--:|--:|--:|--:|--:|
${Object.entries(measured).map(row).join("\n")}

p50 in the server must be under ${P50_MS} ms. The server used at most ${memory.toFixed(0)} MiB. It reads with one query per table (projects,
environments, features, targetings, audiences, pipelines, approvals) in one transaction. Targetings that an earlier comparison has \
cached and
that have not changed since are not read again. The first comparison of a project reads all of them; it took ${first(measured)} ms here.
Compression follows after the time measured in the server.
`;
}
