// 5,000 open streams: memory per stream compared with a bare stream, a change for all of them, and 1,000 clients that do not read.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { cpus } from "node:os";
import { join } from "node:path";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { buildRelease, inFolder, launch, median, seedDemo } from "./release/server.mjs";

const STREAMS = 5_000;
const SLOW = 1_000;
const CHANGES = 10;
/** The number of loopback addresses of the clients. */
const ADDRESSES = 10;
const BATCH = 100;
const SETTLE_MS = 3_000;
const ARRIVAL_TIMEOUT_MS = 30_000;
const MEMORY_FACTOR = 1.5;
const TIME_FACTOR = 3;
const READY_MS = 200;
const READY_MIB = 40;
const FEATURE = "everybody-has-one";
const VARIANTS = ["red", "green", "blue"];
const RESULT = join(root, "docs", "campaigns", "streams.md");

/** Builds, measures the floor and the server, checks the limits, and writes the figures to docs/campaigns/streams.md. */
export async function campaign() {
  const binaries = await buildRelease("streams-floor");
  const floor = await inFolder((folder) =>
    step(`floor: ${STREAMS} bare streams`, () => measureFloor(binaries, folder)),
  );
  const server = await inFolder((folder) => step(`server: ${STREAMS} streams`, () => measureServer(binaries, folder)));
  const text = report(floor, server);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.ok(server.perStream <= MEMORY_FACTOR * floor.perStream, `a stream costs more than ${MEMORY_FACTOR} floors`);
  const maxMs = TIME_FACTOR * median(floor.lasts);
  assert.ok(median(server.lasts) <= maxMs, `the last stream took more than ${TIME_FACTOR} floors`);
  assert.ok(median(server.withSlow) <= maxMs, "clients that do not read slow down the others");
  assert.ok(server.startMs < READY_MS, `ready after ${server.startMs.toFixed(0)} ms`);
  assert.ok(server.readyMib < READY_MIB, `${server.readyMib.toFixed(1)} MiB when ready`);
}

async function measureFloor(binaries, folder) {
  const process = await unlimited(join(binaries, "streams-floor"), (port) => [`127.0.0.1:${port}`], folder);
  const port = Number(new URL(process.base).port);
  const before = process.memory();
  const streams = await inBatches(range(STREAMS), (number) => open(port, "/stream", number));
  const perStream = await growth(process, before);
  const change = () => fetch(`${process.base}/change`, { method: "POST" });
  const lasts = [];
  for (let number = 1; number <= CHANGES; number += 1) lasts.push(await lastOf(streams, change, () => String(number)));
  for (const stream of streams) stream.close();
  await process.stop();
  return { perStream, lasts };
}

async function measureServer(binaries, folder) {
  const { database, token, clientKey } = await seedDemo(binaries, folder);
  const limits = ["--requests-per-second", "10000000", "--streams-per-address", String(STREAMS + SLOW)];
  const args = (port) => ["serve", "--listen", `127.0.0.1:${port}`, "--database-url", database, ...limits];
  const server = await unlimited(join(binaries, "flagservice-server"), args, folder);
  const readyMib = server.memory();
  const feature = { key: FEATURE, name: "One for each", lifecycle: "Active", variants: [...VARIANTS, "off"] };
  await server.request(token, "POST", "/api/v1/projects/shop/features", feature);
  const users = range(STREAMS).map((number) => `user-${number}`);
  const loaded = await inBatches(users, (id) => load(server.base, clientKey, id));
  const before = server.memory();
  const port = Number(new URL(server.base).port);
  const path = ({ token, since }) => `/client/v1/${clientKey}/stream?token=${token}&since=${since}`;
  const streams = await inBatches(range(STREAMS), (number) => open(port, path(loaded[number]), number));
  const perStream = await growth(server, before);

  const targeting = `/api/v1/projects/shop/features/${FEATURE}/environments/production`;
  // The variants rotate, so that every user gets another one each time.
  const rotated = (turn) => VARIANTS.map((_, index) => VARIANTS[(index + turn) % VARIANTS.length]);
  const splits = (turn) =>
    rotated(turn).map((variantKey, index) => ({ variantKey, percentage: index === 0 ? 34 : 33 }));
  const change = (turn) => () => {
    const rules = [{ name: "Thirds", splits: splits(turn) }];
    return server.request(token, "PUT", targeting, { enabled: true, offVariantKey: "off", rules });
  };
  const expected = (turn) => (number) => rotated(turn)[third(users[number])];
  const lasts = [];
  for (let turn = 0; turn < CHANGES; turn += 1) lasts.push(await lastOf(streams, change(turn), expected(turn)));

  // Without `since` these streams get all features, but do not read them.
  const slowPath = ({ token }) => `/client/v1/${clientKey}/stream?token=${token}`;
  const slow = await inBatches(range(SLOW), (number) => open(port, slowPath(loaded[number]), number, false));
  const withSlow = [];
  for (let turn = CHANGES; turn < 2 * CHANGES; turn += 1) {
    withSlow.push(await lastOf(streams, change(turn), expected(turn)));
  }
  const slowMib = server.memory();
  for (const stream of [...streams, ...slow]) stream.close();
  const { startMs } = server;
  await server.stop();
  return { perStream, lasts, withSlow, startMs, readyMib, openMib: before, slowMib };
}

/** The index of the user's split, by the rule of the specification. */
function third(user) {
  const hash = BigInt(`0x${createHash("sha1").update(`1:${FEATURE}:${user}`).digest("hex").slice(0, 15)}`);
  const position = Number((hash % 100n) * 1000n + ((hash / 100n) % 1000n));
  return [34_000, 67_000, 100_000].findIndex((end) => position < end);
}

/** Starts a binary with the maximum number of open files. */
function unlimited(binary, args, folder) {
  const shell = (port) => ["-c", 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"', binary, ...args(port)];
  return launch("sh", shell, join(folder, "process.log"));
}

async function load(base, clientKey, id) {
  const response = await fetch(`${base}/client/v1/${clientKey}/load`, {
    method: "POST",
    body: JSON.stringify({ user: { id } }),
  });
  assert.equal(response.status, 200);
  return response.json();
}

/** Opens a stream. Resolves when its head has arrived. If `reads` is false, it then stops reading. */
function open(port, path, number, reads = true) {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${2 + (number % ADDRESSES)}`;
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    const stream = { onVariant: () => {}, close: () => socket.destroy() };
    let text = "";
    let opened = false;
    socket.on("error", reject).on("close", () => stream.closed?.());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`);
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (!opened && text.includes("\r\n\r\n")) {
        if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(text));
        opened = true;
        if (!reads) socket.pause();
        resolve(stream);
      }
      for (const [, variant] of text.matchAll(
        /event: patch\n(?:id:.*\n)?data: \{"features":\{"[^"]*":"([^"]*)"\}\}\n/g,
      )) {
        stream.onVariant(variant);
        text = "";
      }
    });
  });
}

/** Makes a change. Resolves to the milliseconds until the last stream received its value. */
async function lastOf(streams, change, expected) {
  let remaining = streams.length;
  let incorrect = 0;
  let timer;
  const all = new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${remaining} streams have not received the change`));
    timer = setTimeout(fail, ARRIVAL_TIMEOUT_MS);
    streams.forEach((stream, number) => {
      stream.onVariant = (variant) => {
        if (variant !== expected(number)) incorrect += 1;
        remaining -= 1;
        if (remaining === 0) resolve(performance.now());
      };
    });
  });
  const startedAt = performance.now();
  const [ended] = await Promise.all([all, change()]);
  clearTimeout(timer);
  assert.equal(incorrect, 0, `${incorrect} streams have received another user's value`);
  return ended - startedAt;
}

/** KiB per stream, after a pause. */
async function growth(process, before) {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return ((process.memory() - before) * 1024) / STREAMS;
}

async function inBatches(items, work) {
  const results = [];
  for (let from = 0; from < items.length; from += BATCH) {
    results.push(...(await Promise.all(items.slice(from, from + BATCH).map(work))));
  }
  return results;
}

const range = (count) => Array.from({ length: count }, (_, number) => number);

function report(floor, server) {
  const times = (numbers) => `${median(numbers).toFixed(0)} (${Math.max(...numbers).toFixed(0)})`;
  const factor = (numerator, denominator) => (numerator / denominator).toFixed(2);
  return `# ${STREAMS} open streams

\`npm run campaign -- streams\`. The release binary with the demo's data on SQLite, loopback, clients on ${ADDRESSES} addresses in one
Node process on the same ${cpus().length} cores. The floor is \`crates/campaigns/src/bin/streams-floor.rs\`: axum's server-sent events with
a heartbeat and nothing else. A change gives each stream another variant, which is checked against the rule of the specification.

| | floor | server | server / floor | bound |
|---|--:|--:|--:|--:|
| memory per idle stream, KiB | ${floor.perStream.toFixed(1)} | ${server.perStream.toFixed(1)} | \
${factor(server.perStream, floor.perStream)} | ${MEMORY_FACTOR} |
| change → last of ${STREAMS} streams, ms: median of ${CHANGES} (longest) | ${times(floor.lasts)} | ${times(server.lasts)} | \
${factor(median(server.lasts), median(floor.lasts))} | ${TIME_FACTOR} |
| the same, with ${SLOW} more clients that do not read | | ${times(server.withSlow)} | \
${factor(median(server.withSlow), median(floor.lasts))} | ${TIME_FACTOR} |

Ready ${server.startMs.toFixed(0)} ms after its start (bound ${READY_MS}) with ${server.readyMib.toFixed(1)} MiB resident (bound \
${READY_MIB}); ${server.openMib.toFixed(1)} MiB after ${STREAMS} loads, ${server.slowMib.toFixed(1)} MiB
with ${STREAMS} streams and ${SLOW} more whose clients do not read.
`;
}
