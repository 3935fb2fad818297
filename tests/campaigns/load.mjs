// Loads of 100 features for distinct users at full speed, compared with a bare axum server: requests per second and CPU time.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { ensureWrk, root } from "../../scripts/setup.mjs";
import { buildRelease, inFolder, launch, median, seedDemo, serve } from "./release/server.mjs";

const FEATURES = 100;
const CONNECTIONS = 32;
const SECONDS = Number(process.env.SECONDS ?? 5);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const MIN_RATE_RATIO = 0.6;
const MAX_CPU_RATIO = 1.8;
const SCRIPT = join(root, "tests", "campaigns", "release", "load.lua");
const RESULT = join(root, "docs", "campaigns", "load.md");

const HELP = `npm run campaign -- load [prepare FOLDER]

Measures, and writes docs/campaigns/load.md. The environment variables SECONDS and ROUNDS configure the rounds.
"prepare" only creates the database FOLDER/flagservice.db, with its key file, and prints the client key.
`;

/** Builds, measures, checks the limits, and writes the figures to docs/campaigns/load.md. */
export async function campaign([action, folder] = []) {
  if (action === "prepare" && folder) return prepare(folder);
  if (action !== undefined) return process.stdout.write(HELP);
  await ensureWrk();
  const binaries = await buildRelease("load-floor");
  const { floor, server } = await inFolder((temporary) => measure(binaries, temporary));
  const figures = compare(floor, server);
  const text = report(floor, server, figures);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.equal(floor.failed + server.failed, 0, "some requests failed");
  assert.ok(figures.rate >= MIN_RATE_RATIO, `${figures.rate.toFixed(2)} of the floor's requests/s`);
  assert.ok(figures.cpu <= MAX_CPU_RATIO, `${figures.cpu.toFixed(2)} times the floor's CPU time`);
}

async function prepare(folder) {
  const binaries = await buildRelease();
  await mkdir(folder, { recursive: true });
  const { database, token } = await seedDemo(binaries, folder);
  const server = await serve(binaries, folder, database);
  const key = await fill(server, token);
  await server.stop();
  process.stdout.write(`${key}\n`);
}

async function measure(binaries, folder) {
  const { database, token } = await seedDemo(binaries, folder);
  const server = await serve(binaries, folder, database);
  const key = await step(`${FEATURES} features with three rules each`, () => fill(server, token));
  const floor = await launch(join(binaries, "load-floor"), (port) => [String(port)], join(folder, "floor.log"));
  const candidates = {
    floor: { process: floor, url: `${floor.base}/load`, rounds: [], failed: 0 },
    server: { process: server, url: `${server.base}/client/v1/${key}/load`, rounds: [], failed: 0 },
  };
  for (const candidate of Object.values(candidates)) candidate.bytes = await responseLength(candidate.url);
  await step(`${ROUNDS} rounds after one to warm up, ${SECONDS} s each`, async (note) => {
    for (let number = 0; number <= ROUNDS; number += 1) {
      for (const [name, candidate] of Object.entries(candidates)) {
        const round = await wrk(candidate, number);
        note(`${name}: ${Math.round(round.rate)} requests/s, ${round.cpu.toFixed(1)} µs`);
        candidate.failed += round.failed;
        if (number > 0) candidate.rounds.push(round);
      }
    }
  });
  await Promise.all([floor.stop(), server.stop()]);
  return candidates;
}

/** Creates the features through the REST API. Returns a client key. */
async function fill(server, token) {
  const request = (method, path, body) => server.request(token, method, `/api/v1/projects${path}`, body);
  await request("POST", "", { key: "bench", name: "Bench" });
  await request("POST", "/bench/environments", { key: "production", name: "Production", production: true });
  for (let index = 0; index < FEATURES; index += 1) {
    const key = `flag-${String(index).padStart(3, "0")}`;
    const variants = ["control", "first", "second"];
    await request("POST", "/bench/features", { key, name: key, variants, lifecycle: "Active" });
    const rules = [
      { name: "Nobody here", conditions: [is("plan", "equals", "enterprise")], splits: shares({ first: 100 }) },
      { name: "Some", conditions: [some(index)], splits: shares({ control: 50, second: 50 }) },
      { name: "Everybody", splits: shares({ control: 33.333, first: 33.333, second: 33.334 }) },
    ];
    await request("PATCH", `/bench/features/${key}/environments/production`, {
      enabled: true,
      offVariantKey: "control",
      rules,
    });
  }
  const { key } = await request("POST", "/bench/environments/production/client-keys", { name: "Load" });
  return key;
}

/** A condition that matches some users: alternately with a list and with a part of a string. */
function some(index) {
  return index % 2 === 0
    ? is("country", "in", "SE", "NO", "DK", "FI", "IS")
    : is("email", "endsWith", `${index % 10}@example.com`);
}

function is(attribute, operator, ...values) {
  return { attribute, operator, values };
}

function shares(percentages) {
  return Object.entries(percentages).map(([variantKey, percentage]) => ({ variantKey, percentage }));
}

/** The length of the response, after checking that it has all features. */
async function responseLength(url) {
  const body = JSON.stringify({ user: { id: "user-000000001", attributes: { country: "SE" } } });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal(Object.keys(JSON.parse(text).features).length, FEATURES);
  return Buffer.byteLength(text);
}

async function wrk(candidate, number) {
  const load = ["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "--latency", "-s", SCRIPT, candidate.url];
  const before = candidate.process.cpuMicroseconds();
  const output = await run("wrk", [...load, "--", String(number)]);
  const used = candidate.process.cpuMicroseconds() - before;
  const { requests, seconds, ...rest } = JSON.parse(output.split("\n").find((line) => line.startsWith("{")));
  return { rate: requests / seconds, cpu: used / requests, memory: candidate.process.memory(), ...rest };
}

function compare(floor, server) {
  const ratios = (figure) => server.rounds.map((round, index) => round[figure] / floor.rounds[index][figure]);
  return { rate: median(ratios("rate")), cpu: median(ratios("cpu")) };
}

function report(floor, server, { rate, cpu }) {
  const row = (name, { rounds, bytes }) => {
    const of = (figure, digits) => median(rounds.map((round) => round[figure])).toFixed(digits);
    const figures = [of("rate", 0), of("cpu", 1), of("p50", 2), of("p99", 2), of("memory", 0)];
    return `| ${name} | ${[...figures, bytes].join(" | ")} |`;
  };
  const each = (figure, digits) =>
    server.rounds.map((round, index) => (round[figure] / floor.rounds[index][figure]).toFixed(digits)).join(", ");
  return `# Loads of ${FEATURES} features, compared with a bare axum server

\`npm run campaign -- load\`. wrk with one thread and ${CONNECTIONS} connections sends requests as fast as they are answered, with a
different user in every request, and with \`Accept-Encoding: gzip, br\` and an origin like a browser. \
Floor and server alternate, ${SECONDS} s each,
${ROUNDS} rounds after one warm-up. Release build, SQLite, loopback, ${cpus().length} cores, which wrk and server share.

- **Floor**, \`crates/campaigns/src/bin/load-floor.rs\`: a bare axum with the server's allocator. It reads the user's id from the same body,
  computes ${FEATURES} SHA-1 buckets, and returns compact JSON of about the same length.
- **Server**: \`POST /client/v1/{key}/load\` with everything enabled: key, origin, limits (too high to be reached), time limit,
  request id, CORS, compression (a response of this length is not compressed). Each feature has three rules: one that matches no user,
  one with an attribute (alternately a list of countries and the end of an email address) that splits in two, and one for everyone
  that splits in three. So each request hashes ${FEATURES} buckets here, too. The response also has \`since\` and an encrypted token.

Medians of the rounds:

| | requests/s | CPU µs/request | p50 ms | p99 ms | RSS MiB | bytes |
|---|--:|--:|--:|--:|--:|--:|
${row("floor", floor)}
${row("server", server)}

| Server relative to floor, within a round | median | must be | each round |
|---|--:|--:|---|
| requests/s | ${rate.toFixed(2)} | at least ${MIN_RATE_RATIO} | ${each("rate", 2)} |
| CPU per request | ${cpu.toFixed(2)} | at most ${MAX_CPU_RATIO} | ${each("cpu", 2)} |

CPU time is the more stable measure, because wrk and other processes share the cores.

\`npm run campaign -- load prepare FOLDER\` creates the same database for other measurements: FOLDER/flagservice.db with its key file,
project \`bench\`, environment \`production\`, features \`flag-000\` to \`flag-099\`. It prints the client key; FOLDER/demo.json has access
tokens. Set \`--requests-per-second\` of \`flagservice-server serve\` above the measured rate.
`;
}
