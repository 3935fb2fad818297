// A comparison of 1,000 features with ten rules in each of two environments: how long the server takes, and how large it is.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../e2e/flips.mjs";
import { buildRelease, inFolder, seedDemo, serve } from "./release/server.mjs";

const FEATURES = 1_000;
const RULES = 10;
const AUDIENCES = 20;
const PIPELINES = 5;
const WARM = 10;
const COMPARISONS = 200;
const P50_MS = 25;
const COUNTRIES = ["SE", "NO", "DK", "FI", "IS", "DE", "FR", "ES", "IT", "PL"];
const RESULT = join(root, "docs", "campaigns", "compare-speed.md");

/** The projects that are compared: every so many features differ. */
const PROJECTS = { third: 3, all: 1 };

/** Builds, imports the projects, compares, checks the bound, and writes the figures to docs/campaigns/compare-speed.md. */
export async function campaign() {
  const binaries = await buildRelease();
  const figures = await inFolder(async (folder) => {
    const { database, token } = await seedDemo(binaries, folder);
    for (const [key, every] of Object.entries(PROJECTS)) {
      const file = join(folder, `${key}.json`);
      await writeFile(file, JSON.stringify(project(key, every)));
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

/** A project as a document: ten rules in each environment; every so many features has another percentage in its last rule. */
function project(key, every) {
  const number = (length) => Array.from({ length }, (_, index) => index);
  const targeting = (feature, moved) => ({
    enabled: true,
    offVariantKey: "off",
    rules: number(RULES).map((place) => rule(feature, place, moved && place === RULES - 1 ? 10 : 50)),
  });
  return {
    format: "flagservice-project",
    formatVersion: 1,
    project: { key, name: key },
    environments: ["staging", "production"].map((environment) => ({
      key: environment,
      name: environment,
      production: environment === "production",
      approvalRequired: environment === "production",
      allowedOrigins: [],
    })),
    audiences: number(AUDIENCES).map((index) => ({
      key: `audience-${String(index).padStart(2, "0")}`,
      name: `Audience ${index}`,
      environmentKey: null,
      conditions: [condition("plan", "equals", [`plan-${index}`]), condition("age", "greaterThan", [index])],
    })),
    pipelines: number(PIPELINES).map((index) => ({
      key: `pipeline-${index}`,
      name: `Pipeline ${index}`,
      phases: [{ name: "Release", environmentKey: "production", approvalRequired: index % 2 === 0 }],
    })),
    features: number(FEATURES).map((index) => ({
      key: `feature-${String(index).padStart(4, "0")}`,
      name: `Feature ${index}`,
      description: "One of many.",
      lifecycle: "Active",
      salt: "1",
      variants: ["on", "off"],
      tags: ["campaign"],
      approvalRequired: index % 10 === 0,
      pipelineKey: `pipeline-${index % PIPELINES}`,
      targetings: { staging: targeting(index, false), production: targeting(index, index % every === 0) },
    })),
  };
}

/** Three of ten rules name a saved audience; the others have two conditions. */
function rule(feature, place, percentage) {
  const splits = [
    { variantKey: "on", percentage },
    { variantKey: "off", percentage: 100 - percentage },
  ];
  const name = `Rule ${place} of feature ${feature}`;
  if (place % 3 === 2) {
    return { name, audienceKey: `audience-${String((feature + place) % AUDIENCES).padStart(2, "0")}`, splits };
  }
  const countries = [0, 1, 3].map((step) => COUNTRIES[(feature + place + step) % COUNTRIES.length]);
  return {
    name,
    conditions: [condition("country", "in", countries), condition("age", "lessThan", [60 + place])],
    splits,
  };
}

/** The first comparison of each project. */
function first(measured) {
  const firsts = Object.entries(measured).filter(([name]) => name.endsWith("identity"));
  return firsts.map(([, { first }]) => first.toFixed(0)).join(" and ");
}

function condition(attribute, operator, values) {
  return { attribute, operator, values };
}

/** Compares again and again: bytes, milliseconds until the whole answer is there, and those that the server's log tells. */
async function measure(server, token, project, encoding, log) {
  const url = `${server.base}/api/v1/projects/${project}/environments/compare?source=staging&target=production`;
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": encoding };
  let answer;
  const start = (await logged(log)).length;
  for (let number = 0; number < WARM; number += 1) answer = await ask(url, headers);
  const before = (await logged(log)).length;
  const first = (await logged(log))[start];
  const cpu = server.cpuMicroseconds();
  const client = [];
  for (let number = 0; number < COMPARISONS; number += 1) {
    const began = performance.now();
    answer = await ask(url, headers);
    client.push(performance.now() - began);
  }
  const cpuMs = (server.cpuMicroseconds() - cpu) / 1000 / COMPARISONS;
  const told = (await logged(log)).slice(before);
  assert.equal(told.length, COMPARISONS, "the log has a line for each comparison");
  if (encoding === "identity") {
    const { different, identical } = JSON.parse(answer);
    const expected = Math.ceil(FEATURES / PROJECTS[project]);
    assert.deepEqual({ different, identical }, { different: expected, identical: FEATURES - expected });
  }
  return { client, server: told, cpuMs, bytes: answer.length, first };
}

function ask(url, headers) {
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject).on("end", () => {
        const body = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(body);
        else reject(new Error(`${answer.statusCode} ${body}`));
      });
    });
    asked.on("error", reject);
  });
}

/** The milliseconds of all comparisons that the server has logged. */
async function logged(log) {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.includes("/environments/compare"));
  return lines.map((line) => Number(line.match(/milliseconds\W+([\d.]+)/)[1]));
}

function report({ measured, memory }) {
  const row = ([name, { server, client, cpuMs, bytes }]) => {
    const [share, encoding] = name.split(" ");
    const figures = [server, client].flatMap((numbers) => [0.5, 0.99].map((at) => percentile(numbers, at).toFixed(1)));
    return `| ${share === "all" ? "all" : "a third"} | ${encoding} | ${[...figures, cpuMs.toFixed(1), (bytes / 1e3).toFixed(0)].join(" | ")} |`;
  };
  return `# A comparison of ${FEATURES} features

\`npm run campaign -- compare-speed\`. A project of ${FEATURES} features with ${RULES} rules in each of two environments (three for saved
audiences, seven with two conditions), ${AUDIENCES} audiences, ${PIPELINES} pipelines; ${COMPARISONS} comparisons over REST, one after the other. *In the server*
is what its log tells: from the request to the beginning of the answer, when all of it is read, compared and written. *At the client* is
until the last byte. Release build, SQLite, loopback, ${cpus().length} cores that client and server share.

| features that differ | encoding | in the server, p50, ms | p99 | at the client, p50, ms | p99 | CPU, ms | kB |
|---|---|--:|--:|--:|--:|--:|--:|
${Object.entries(measured).map(row).join("\n")}

p50 in the server must be under ${P50_MS} ms. The server had ${memory.toFixed(0)} MiB at most. Reading is one query for each table (projects,
environments, features, targetings, audiences, pipelines, approvals) in one transaction. Targetings that an earlier comparison has read, and
that have not changed since, are not read again; the first one of a project reads them all, and took ${first(measured)} ms here.
Compression happens on the way out, after the server's figure.
`;
}
