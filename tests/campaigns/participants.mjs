// A million participants of an experiment on SQLite: their room, the time of results, and 2,000 more a second beside changes.
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { Agent, request } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { targetFolder } from "../../scripts/setup.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { percentile } from "../support/percentile.mjs";
import { buildRelease, inFolder, seedDemo, serve } from "./release/server.mjs";

const PARTICIPANTS = 1_000_000;
const SHORT_PARTICIPANTS = 2_000;
/** As many as a request may have. */
const TOGETHER = 100;
/** One in so many participants reaches the goal. */
const CONVERTS_EVERY = 10;
const PER_SECOND = 2_000;
const SECONDS = 20;
const CONNECTIONS = 64;
const READS = 50;
const FEATURE = "new-checkout";
const EXPERIMENT = "million";
const PATH = `/api/v1/projects/shop/environments/production/experiments`;
const TARGETING = `/api/v1/projects/shop/features/${FEATURE}/environments/production`;
/** Changes are made to another feature: they have nothing to do with the experiment. */
const CHANGED = "/api/v1/projects/shop/features/search-suggestions/environments/production";
const [MAX_BYTES, MAX_RESULTS_MS, MAX_P99_MS] = [40_000_000, 300, 50];

/**
 * `npm run campaign -- participants`: release build; writes its figures to docs/campaigns/participants.md. With `--short`: a few
 * participants of what is already built, whose counts must be exact.
 */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { short: { type: "boolean" } } });
  const binaries = values.short ? join(await targetFolder(), "debug") : await buildRelease();
  if (values.short) {
    await inFolder((folder) => fill(binaries, folder, SHORT_PARTICIPANTS));
    process.stdout.write(`participants: ${SHORT_PARTICIPANTS} counted exactly\n`);
    return;
  }
  const figures = await inFolder((folder) => measure(binaries, folder));
  await publish("participants", report(figures));
  assert.ok(figures.bytes <= MAX_BYTES, `${figures.bytes} bytes`);
  assert.ok(percentile(figures.reads, 1) < MAX_RESULTS_MS, `results took ${percentile(figures.reads, 1)} ms`);
  assert.ok(percentile(figures.writes, 0.99) < MAX_P99_MS, `p99 of changes: ${percentile(figures.writes, 0.99)} ms`);
  assert.ok(figures.seconds < SECONDS * 1.05, `the participations took ${figures.seconds} s`);
}

/** Reports participants of a new experiment, and then their goals; checks that each counts once. The server runs on afterwards. */
async function fill(binaries, folder, participants) {
  const { database, token, clientKey } = await seedDemo(binaries, folder);
  const file = database.slice("sqlite:".length);
  const sizes = [await sizeOf(file)];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begin = async () => {
    const server = await serve(binaries, folder, database);
    const rest = (method, path, body) => server.request(token, method, path, body);
    return { server, rest, agent, url: `${server.base}/client/v1/${clientKey}/goals` };
  };
  const first = await begin();
  await startExperiment(first.rest, participants);
  const startedAt = performance.now();
  await step(`${participants} participants`, (note) => reportAll(first, participants, participationsOf, note));
  const fillSeconds = (performance.now() - startedAt) / 1000;
  // A server that ends leaves no log beside the file.
  await first.server.stop();
  sizes.push(await sizeOf(file));
  const second = await begin();
  await step("goals of participants", (note) => reportAll(second, participants, goalsOf, note));
  const results = await second.rest("GET", `${PATH}/${EXPERIMENT}/results`);
  const sum = (variants) => variants.reduce((sum, variant) => sum + variant.participants, 0);
  const counted = [sum(results.variants), sum(results.goals[0].variants), results.variants[0].participants];
  assert.deepEqual(counted, [participants, participants / CONVERTS_EVERY, participants / 2]);
  return { ...second, file, sizes, fillSeconds };
}

async function startExperiment(rest, plannedParticipants) {
  const half = (variantKey) => ({ variantKey, percentage: 50 });
  const rules = [{ name: "Half", splits: [half("on"), half("off")] }];
  await rest("PUT", TARGETING, { enabled: true, offVariantKey: "off", rules });
  const design = { goals: [{ key: "sale", role: "primary" }], plannedParticipants, controlVariantKey: "off" };
  await rest("POST", PATH, { key: EXPERIMENT, name: "Million", featureKey: FEATURE, ...design });
  await rest("POST", `${PATH}/${EXPERIMENT}/start`);
}

async function measure(binaries, folder) {
  const { server, rest, agent, url, file, sizes, fillSeconds } = await fill(binaries, folder, PARTICIPANTS);
  agent.destroy();
  const reads = [];
  for (let read = 0; read < READS; read += 1) {
    const startedAt = performance.now();
    await rest("GET", `${PATH}/${EXPERIMENT}/results`);
    reads.push(performance.now() - startedAt);
  }
  let over = false;
  const quiet = await step("changes without participations", () => change(rest, () => true, 200));
  const [sending, writes] = await step(`${PER_SECOND} participations/s for ${SECONDS} s, with changes`, () =>
    Promise.all([
      sendOnSchedule(url).finally(() => {
        over = true;
      }),
      change(rest, () => !over, Number.POSITIVE_INFINITY),
    ]),
  );
  await server.stop();
  return {
    ...sending,
    writes,
    quiet,
    reads,
    fillSeconds,
    bytes: sizes[1] - sizes[0],
    more: (await sizeOf(file)) - sizes[1],
  };
}

/** Sends what `entries` gives for each user, `TOGETHER` users in each request. */
async function reportAll({ agent, url }, participants, entries, note) {
  let next = 0;
  const work = async () => {
    while (next < participants) {
      const first = next;
      next += TOGETHER;
      const users = Array.from({ length: Math.min(TOGETHER, participants - first) }, (_, index) => first + index);
      assert.equal(await post(agent, url, JSON.stringify(entries(users))), 202);
      if (first % 50_000 === 0) note(`${first}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

function participationsOf(users) {
  const variant = (number) => (number % 2 === 0 ? "off" : "on");
  const participation = (number) => ({ feature: FEATURE, variant: variant(number), userId: `user-${number}` });
  return { participations: users.map(participation) };
}

function goalsOf(users) {
  const reached = users.filter((number) => number % CONVERTS_EVERY === 0);
  return { goals: reached.map((number) => ({ id: `sale-${number}-0000`, key: "sale", userId: `user-${number}` })) };
}

/** Sends single participations on schedule, whether earlier ones have been answered or not. */
async function sendOnSchedule(url) {
  // With connections of its own: the server may be closing those that were idle.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const all = PER_SECOND * SECONDS;
  const [startedAt, pending, took] = [performance.now(), [], []];
  for (let next = 0; next < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - startedAt) * PER_SECOND) / 1000));
    for (; next < due; next += 1) {
      const sentAt = performance.now();
      const userId = `later-${next}`;
      const body = JSON.stringify({ participations: [{ feature: FEATURE, variant: "on", userId }] });
      pending.push(
        post(agent, url, body).then((status) => {
          assert.equal(status, 202);
          took.push(performance.now() - sentAt);
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  agent.destroy();
  return { took, seconds: (performance.now() - startedAt) / 1000 };
}

function post(agent, url, body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "text/plain;charset=UTF-8", "content-length": Buffer.byteLength(body) };
    const outgoing = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    outgoing.on("error", reject).end(body);
  });
}

/** Switches a feature while `continues()`, at most `max` times. Returns the milliseconds of each change. */
async function change(rest, continues, max) {
  let { enabled } = await rest("GET", CHANGED);
  const took = [];
  while (continues() && took.length < max) {
    enabled = !enabled;
    const startedAt = performance.now();
    await rest("PATCH", CHANGED, { enabled });
    took.push(performance.now() - startedAt);
  }
  return took;
}

async function sizeOf(file) {
  return (await stat(file)).size;
}

function report({ reads, took, writes, quiet, seconds, fillSeconds, bytes, more }) {
  const row = (name, numbers) => {
    const figures = [0.5, 0.9, 0.99, 1].map((share) => percentile(numbers, share).toFixed(1));
    return `| ${name} | ${[numbers.length, ...figures].join(" | ")} |`;
  };
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  return `# A million participants of an experiment

\`npm run campaign -- participants\`. ${PARTICIPANTS} users take part in one experiment, ${TOGETHER} in each request; one in \
${CONVERTS_EVERY} reaches its
goal. Then results are read, and ${PER_SECOND} further participations a second are sent for ${SECONDS} s, each in a request of its own, \
while another
feature is switched on and off. Release build, SQLite with \`synchronous = FULL\`, loopback, ${cpus().length} cores, which clients and \
server share.

| milliseconds | number | median | p90 | p99 | longest |
|---|--:|--:|--:|--:|--:|
${row("results", reads)}
${row("change, without participations", quiet)}
${row("change, with participations", writes)}
${row("participation", took)}

All participants and conversions were counted, each once, ${Math.round(PARTICIPANTS / fillSeconds).toLocaleString("en")} participants a \
second. The participations on schedule took ${seconds.toFixed(1)} s.
On disk: the participants ${megabytes(bytes)}; everything after them, with ${(PARTICIPANTS / CONVERTS_EVERY).toLocaleString("en")} goals, \
${megabytes(more)}.
`;
}
