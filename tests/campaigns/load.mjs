// 100 features for distinct users, as fast as it goes, beside a bare axum: requests per second and processor time.
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
const LEAST_OF_FLOOR = 0.6;
const MOST_CPU = 1.8;
const SCRIPT = join(root, "tests", "campaigns", "release", "load.lua");
const RESULT = join(root, "docs", "campaigns", "load.md");

const HELP = `npm run campaign -- load [prepare FOLDER]

Measures, and writes docs/campaigns/load.md. SECONDS and ROUNDS, as environment variables, change the rounds.
With "prepare" it only makes the database FOLDER/flagservice.db, with its key file, and prints its client key.
`;

/** Builds, measures, checks the bounds, and writes the figures to docs/campaigns/load.md. */
export async function campaign([action, folder] = []) {
  if (action === "prepare" && folder) return prepare(folder);
  if (action !== undefined) return process.stdout.write(HELP);
  await ensureWrk();
  const binaries = await buildRelease("floor");
  const { floor, server } = await inFolder((place) => measure(binaries, place));
  const figures = compare(floor, server);
  const text = report(floor, server, figures);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.equal(floor.failed + server.failed, 0, "some requests failed");
  assert.ok(figures.rate >= LEAST_OF_FLOOR, `${figures.rate.toFixed(2)} of the floor's requests/s`);
  assert.ok(figures.cpu <= MOST_CPU, `${figures.cpu.toFixed(2)} times the floor's processor time`);
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
  const floor = await launch(join(binaries, "examples", "floor"), (port) => [String(port)], join(folder, "floor.log"));
  const contestants = {
    floor: { process: floor, url: `${floor.base}/load`, rounds: [], failed: 0 },
    server: { process: server, url: `${server.base}/client/v1/${key}/load`, rounds: [], failed: 0 },
  };
  for (const contestant of Object.values(contestants)) contestant.bytes = await bytesOf(contestant.url);
  await step(`${ROUNDS} rounds after one to warm up, ${SECONDS} s each`, async (note) => {
    for (let number = 0; number <= ROUNDS; number += 1) {
      for (const [name, contestant] of Object.entries(contestants)) {
        const round = await wrk(contestant, number);
        note(`${name}: ${Math.round(round.rate)} requests/s, ${round.cpu.toFixed(1)} µs`);
        contestant.failed += round.failed;
        if (number > 0) contestant.rounds.push(round);
      }
    }
  });
  await Promise.all([floor.stop(), server.stop()]);
  return contestants;
}

/** Makes the features through the REST API; answers with the key of a client that loads them. */
async function fill(server, token) {
  const ask = (method, path, body) => server.ask(token, method, `/api/v1/projects${path}`, body);
  await ask("POST", "", { key: "bench", name: "Bench" });
  await ask("POST", "/bench/environments", { key: "production", name: "Production", production: true });
  for (let index = 0; index < FEATURES; index += 1) {
    const key = `flag-${String(index).padStart(3, "0")}`;
    const variants = ["control", "first", "second"];
    await ask("POST", "/bench/features", { key, name: key, variants, lifecycle: "Active" });
    const rules = [
      { name: "Nobody here", conditions: [is("plan", "equals", "enterprise")], splits: shares({ first: 100 }) },
      { name: "Some", conditions: [some(index)], splits: shares({ control: 50, second: 50 }) },
      { name: "Everybody", splits: shares({ control: 33.333, first: 33.333, second: 33.334 }) },
    ];
    await ask("PATCH", `/bench/features/${key}/environments/production`, {
      enabled: true,
      offVariantKey: "control",
      rules,
    });
  }
  const { key } = await ask("POST", "/bench/environments/production/client-keys", { name: "Load" });
  return key;
}

/** A condition that holds for some users: by turns of a list and of a part of a text. */
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

/** How long the answer is; all features must be in it. */
async function bytesOf(url) {
  const body = JSON.stringify({ user: { id: "user-000000001", attributes: { country: "SE" } } });
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal(Object.keys(JSON.parse(text).features).length, FEATURES);
  return Buffer.byteLength(text);
}

async function wrk(contestant, number) {
  const load = ["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "--latency", "-s", SCRIPT, contestant.url];
  const before = contestant.process.cpuMicroseconds();
  const output = await run("wrk", [...load, "--", String(number)]);
  const used = contestant.process.cpuMicroseconds() - before;
  const { requests, seconds, ...rest } = JSON.parse(output.split("\n").find((line) => line.startsWith("{")));
  return { rate: requests / seconds, cpu: used / requests, memory: contestant.process.memory(), ...rest };
}

function compare(floor, server) {
  const ratios = (figure) => server.rounds.map((round, index) => round[figure] / floor.rounds[index][figure]);
  return { rate: median(ratios("rate")), cpu: median(ratios("cpu")) };
}

function report(floor, server, { rate, cpu }) {
  const row = (name, { rounds, bytes }) => {
    const middle = (figure, digits) => median(rounds.map((round) => round[figure])).toFixed(digits);
    const figures = [middle("rate", 0), middle("cpu", 1), middle("p50", 2), middle("p99", 2), middle("memory", 0)];
    return `| ${name} | ${[...figures, bytes].join(" | ")} |`;
  };
  const each = (figure, digits) =>
    server.rounds.map((round, index) => (round[figure] / floor.rounds[index][figure]).toFixed(digits)).join(", ");
  return `# Loads of ${FEATURES} features, compared with a bare axum server

\`npm run campaign -- load\`. wrk with one thread and ${CONNECTIONS} connections sends requests as fast as they are answered, with a different user in every
request, and with \`Accept-Encoding: gzip, br\` and an origin like a browser. Floor and server alternate, ${SECONDS} s each,
${ROUNDS} rounds after one warm-up. Release build, SQLite, loopback, ${cpus().length} cores, which wrk and server share.

- **Floor**, \`crates/server/examples/floor.rs\`: a bare axum with the server's allocator. It reads the user's id from the same body,
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
| requests/s | ${rate.toFixed(2)} | at least ${LEAST_OF_FLOOR} | ${each("rate", 2)} |
| CPU per request | ${cpu.toFixed(2)} | at most ${MOST_CPU} | ${each("cpu", 2)} |

CPU time is the more stable measure, because wrk and other processes share the cores.

\`npm run campaign -- load prepare FOLDER\` creates the same database for other measurements: FOLDER/flagservice.db with its key file,
project \`bench\`, environment \`production\`, features \`flag-000\` to \`flag-099\`. It prints the client key; FOLDER/demo.json has access
tokens. Set \`--requests-per-second\` of \`flagservice-server serve\` above the measured rate.
`;
}
