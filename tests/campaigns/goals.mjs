// 2,000 goals per second while flags change: how long a change takes, and that each goal counts exactly once.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { buildRelease, inFolder, seedDemo, serve } from "./release/server.mjs";

const PER_SECOND = 2_000;
const SECONDS = 20;
const GOALS = PER_SECOND * SECONDS;
/** One in this many goals is sent twice, as by a page that received no response. */
const REPEAT_EVERY = 20;
const CONNECTIONS = 64;
const P99_MS = 50;
/** Other goals than those of the demo, which has counted some already. */
const KEYS = ["order", "subscription", "review"];
const USERS = 50;
const FEATURE = "new-checkout";
const RESULT = join(root, "docs", "campaigns", "goals.md");

/** Builds, sends, changes, counts, checks the limits, and writes the figures to docs/campaigns/goals.md. */
export async function campaign() {
  const binaries = await buildRelease();
  const figures = await inFolder((folder) => measure(binaries, folder));
  const text = report(figures);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.deepEqual(figures.rejected, [], "some goals or changes were rejected");
  assert.deepEqual(figures.counted, figures.sent, "the counted goals differ from the sent ones");
  assert.ok(figures.seconds < SECONDS * 1.05, `the goals took ${figures.seconds.toFixed(1)} s, not ${SECONDS}`);
  const p99 = percentile(figures.writes, 0.99);
  assert.ok(p99 < P99_MS, `p99 of the flag writes is ${p99.toFixed(1)} ms`);
}

async function measure(binaries, folder) {
  const { database, token, clientKey } = await seedDemo(binaries, folder);
  const server = await serve(binaries, folder, database);
  const client = `${server.base}/client/v1/${clientKey}`;
  const users = await Promise.all(Array.from({ length: USERS }, (_, index) => load(client, `user-${index}`)));
  const goals = Array.from({ length: GOALS }, (_, index) => ({
    id: randomBytes(16).toString("hex"),
    key: KEYS[index % KEYS.length],
    userId: users[index % USERS].id,
    features: users[index % USERS].features,
  }));
  const rejected = [];
  const quiet = await step("flag writes without goals", () => change(server, token, () => true, 200, rejected));
  const before = server.cpuMicroseconds();
  let over = false;
  const [sending, writes] = await step(`${PER_SECOND} goals/s for ${SECONDS} s, with flag writes`, () =>
    Promise.all([
      send(`${client}/goals`, goals, rejected).finally(() => {
        over = true;
      }),
      change(server, token, () => !over, Number.POSITIVE_INFINITY, rejected),
    ]),
  );
  const cpu = server.cpuMicroseconds() - before;
  const listed = await server.request(token, "GET", "/api/v1/projects/shop/environments/production/goals");
  await server.stop();
  const own = listed.items.filter(({ key }) => KEYS.includes(key));
  const counted = Object.fromEntries(own.map(({ key, count, features }) => [key, { count, features }]));
  return { ...sending, writes, quiet, cpu, rejected, counted, sent: tally(goals) };
}

/** A user with their features, as a client loads them. */
async function load(client, id) {
  const headers = { "content-type": "text/plain;charset=UTF-8" };
  const body = JSON.stringify({ user: { id, attributes: { country: "SE", plan: "pro" } } });
  const response = await fetch(`${client}/load`, { method: "POST", headers, body });
  return { id, features: (await response.json()).features };
}

/** Sends each goal on schedule, whether earlier ones have been answered or not. Returns the milliseconds of each. */
async function send(url, goals, rejected) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedAt = performance.now();
  const took = [];
  const pending = [];
  for (let next = 0; next < goals.length; ) {
    const due = Math.min(goals.length, Math.floor(((performance.now() - startedAt) * PER_SECOND) / 1000));
    for (; next < due; next += 1) {
      const body = JSON.stringify({ goals: [goals[next]] });
      for (let times = next % REPEAT_EVERY === 0 ? 2 : 1; times > 0; times -= 1) {
        pending.push(
          post(agent, url, body).then(({ status, ms }) => (status === 202 ? took.push(ms) : rejected.push(status))),
        );
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  agent.destroy();
  return { took, seconds: (performance.now() - startedAt) / 1000 };
}

function post(agent, url, body) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = { "content-type": "text/plain;charset=UTF-8", "content-length": Buffer.byteLength(body) };
    const outgoing = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve({ status: response.statusCode, ms: performance.now() - startedAt }));
    });
    outgoing.on("error", reject).end(body);
  });
}

/** Switches the feature over REST while `continues()`, at most `max` times. Returns the milliseconds of each change. */
async function change(server, token, continues, max, rejected) {
  const path = `/api/v1/projects/shop/features/${FEATURE}/environments/production`;
  let { enabled } = await server.request(token, "GET", path);
  const took = [];
  while (continues() && took.length < max) {
    enabled = !enabled;
    const startedAt = performance.now();
    const changed = await server.request(token, "PATCH", path, { enabled });
    took.push(performance.now() - startedAt);
    if (changed.enabled !== enabled) rejected.push(changed);
  }
  return took;
}

/** The expected counts of these goals. */
function tally(goals) {
  const counts = {};
  for (const { key, features } of goals) {
    counts[key] ??= { count: 0, features: {} };
    counts[key].count += 1;
    for (const [feature, variant] of Object.entries(features)) {
      counts[key].features[feature] ??= {};
      counts[key].features[feature][variant] = (counts[key].features[feature][variant] ?? 0) + 1;
    }
  }
  return counts;
}

function report({ seconds, took, writes, quiet, cpu, sent, counted }) {
  const row = (name, numbers) => {
    const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(numbers, share).toFixed(1));
    return `| ${name} | ${[numbers.length, ...figures].join(" | ")} |`;
  };
  const total = (counts) => Object.values(counts).reduce((sum, { count }) => sum + count, 0);
  return `# ${PER_SECOND} goals a second while flags are changed

\`npm run campaign -- goals\`. Each goal is a separate request, as the browser client sends it: \`text/plain\`, with the user's
${Object.keys(sent[KEYS[0]].features).length} features. It is sent on schedule, whether earlier goals have been answered or not, over at \
most ${CONNECTIONS} connections. One of
${REPEAT_EVERY} is sent twice. Meanwhile a feature of the same environment is switched on and off over REST, one change at a time;
each response waits until the change is durable and in effect. Release build, SQLite with \`synchronous = FULL\`, loopback,
${cpus().length} cores, which clients and server share.

| milliseconds | number | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|--:|
${row("flag write, without goals", quiet)}
${row("flag write, with goals", writes)}
${row("goal", took)}

${total(sent)} goals were sent in ${seconds.toFixed(1)} s (${took.length} requests, including those sent twice). ${total(counted)} were \
counted, each once, with the
correct variant of each feature. The server used ${((cpu / 1e6 / seconds) * 100).toFixed(0)}% of a core.
`;
}
