// 5,000 open streams: memory for each beside a bare stream's, one change to all of them, and 1,000 who do not read.
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
/** Connections come from so many loopback addresses, as from so many clients. */
const ADDRESSES = 10;
const AT_ONCE = 100;
const SETTLE_MS = 3_000;
const PATIENCE_MS = 30_000;
const MEMORY_FACTOR = 1.5;
const TIME_FACTOR = 3;
const READY_MS = 200;
const READY_MIB = 40;
const FEATURE = "everybody-has-one";
const VARIANTS = ["red", "green", "blue"];
const RESULT = join(root, "docs", "campaigns", "streams.md");

/** Builds, measures the floor and the server, checks the bounds, and writes the figures to docs/campaigns/streams.md. */
export async function campaign() {
  const binaries = await buildRelease("floor-streams");
  const floor = await inFolder((folder) =>
    step(`floor: ${STREAMS} bare streams`, () => measureFloor(binaries, folder)),
  );
  const server = await inFolder((folder) => step(`server: ${STREAMS} streams`, () => measureServer(binaries, folder)));
  const text = report(floor, server);
  process.stdout.write(text);
  await mkdir(join(root, "docs", "campaigns"), { recursive: true });
  await writeFile(RESULT, text);
  assert.ok(server.perStream <= MEMORY_FACTOR * floor.perStream, `a stream costs more than ${MEMORY_FACTOR} floors`);
  assert.ok(median(server.lasts) <= TIME_FACTOR * median(floor.lasts), `the last came after ${TIME_FACTOR} floors`);
  assert.ok(median(server.beside) <= TIME_FACTOR * median(floor.lasts), "those who do not read slow the others");
  assert.ok(server.startMs < READY_MS, `ready after ${server.startMs.toFixed(0)} ms`);
  assert.ok(server.readyMib < READY_MIB, `${server.readyMib.toFixed(1)} MiB when ready`);
}

async function measureFloor(binaries, folder) {
  const process = await unlimited(join(binaries, "examples", "floor-streams"), (port) => [`127.0.0.1:${port}`], folder);
  const port = Number(new URL(process.base).port);
  const before = process.memory();
  const streams = await inTurns(range(STREAMS), (number) => open(port, "/stream", number));
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
  await server.ask(token, "POST", "/api/v1/projects/shop/features", feature);
  const users = range(STREAMS).map((number) => `user-${number}`);
  const loaded = await inTurns(users, (id) => load(server.base, clientKey, id));
  const before = server.memory();
  const port = Number(new URL(server.base).port);
  const path = ({ token, since }) => `/client/v1/${clientKey}/stream?token=${token}&since=${since}`;
  const streams = await inTurns(range(STREAMS), (number) => open(port, path(loaded[number]), number));
  const perStream = await growth(server, before);

  const targeting = `/api/v1/projects/shop/features/${FEATURE}/environments/production`;
  // The splits move from one to the next, so that everybody gets another variant each time.
  const turned = (turn) => VARIANTS.map((_, index) => VARIANTS[(index + turn) % VARIANTS.length]);
  const splits = (turn) => turned(turn).map((variantKey, index) => ({ variantKey, percentage: index === 0 ? 34 : 33 }));
  const change = (turn) => () => {
    const rules = [{ name: "Each their own", splits: splits(turn) }];
    return server.ask(token, "PUT", targeting, { enabled: true, offVariantKey: "off", rules });
  };
  const expected = (turn) => (number) => turned(turn)[third(users[number])];
  const lasts = [];
  for (let turn = 0; turn < CHANGES; turn += 1) lasts.push(await lastOf(streams, change(turn), expected(turn)));

  // Without a point they are sent everything, and read nothing of it.
  const without = (one) => `/client/v1/${clientKey}/stream?token=${one.token}`;
  const slow = await inTurns(range(SLOW), (number) => open(port, without(loaded[number]), number, false));
  const beside = [];
  for (let turn = CHANGES; turn < 2 * CHANGES; turn += 1) {
    beside.push(await lastOf(streams, change(turn), expected(turn)));
  }
  const slowMib = server.memory();
  for (const stream of [...streams, ...slow]) stream.close();
  const { startMs } = server;
  await server.stop();
  return { perStream, lasts, beside, startMs, readyMib, openMib: before, slowMib };
}

/** Which third of the split the user is in, by the rule of the specification. */
function third(user) {
  const hash = BigInt(`0x${createHash("sha1").update(`1:${FEATURE}:${user}`).digest("hex").slice(0, 15)}`);
  const position = Number((hash % 100n) * 1000n + ((hash / 100n) % 1000n));
  return [34_000, 67_000, 100_000].findIndex((end) => position < end);
}

/** A binary that may open as many files as the system lets it. */
function unlimited(binary, args, folder) {
  const shell = (port) => ["-c", 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"', binary, ...args(port)];
  return launch("sh", shell, join(folder, "process.log"));
}

async function load(base, clientKey, id) {
  const answer = await fetch(`${base}/client/v1/${clientKey}/load`, {
    method: "POST",
    body: JSON.stringify({ user: { id } }),
  });
  assert.equal(answer.status, 200);
  return answer.json();
}

/** Opens a stream; resolves once its head has come. Who does not read stops after that. */
function open(port, path, number, reads = true) {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${2 + (number % ADDRESSES)}`;
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    const stream = { heard: () => {}, close: () => socket.destroy() };
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
        stream.heard(variant);
        text = "";
      }
    });
  });
}

/** Makes a change; resolves to the milliseconds until the last stream had it, each with the value that is its own. */
async function lastOf(streams, change, expected) {
  let left = streams.length;
  let wrong = 0;
  let late;
  const all = new Promise((resolve, reject) => {
    late = setTimeout(() => reject(new Error(`${left} streams have heard nothing`)), PATIENCE_MS);
    streams.forEach((stream, number) => {
      stream.heard = (variant) => {
        if (variant !== expected(number)) wrong += 1;
        left -= 1;
        if (left === 0) resolve(performance.now());
      };
    });
  });
  const began = performance.now();
  const [ended] = await Promise.all([all, change()]);
  clearTimeout(late);
  assert.equal(wrong, 0, `${wrong} streams have somebody else's value`);
  return ended - began;
}

/** KiB for each stream, once everything is quiet. */
async function growth(process, before) {
  await new Promise((wake) => setTimeout(wake, SETTLE_MS));
  return ((process.memory() - before) * 1024) / STREAMS;
}

async function inTurns(items, work) {
  const done = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return done;
}

const range = (count) => Array.from({ length: count }, (_, number) => number);

function report(floor, server) {
  const times = (numbers) => `${median(numbers).toFixed(0)} (${Math.max(...numbers).toFixed(0)})`;
  const factor = (one, other) => (one / other).toFixed(2);
  return `# ${STREAMS} open streams

\`npm run campaign -- streams\`. The release binary with the demo's data on SQLite, loopback, clients on ${ADDRESSES} addresses in one
Node process on the same ${cpus().length} cores. The floor is \`crates/server/examples/floor-streams.rs\`: axum's server-sent events with
a heartbeat and nothing else. A change gives each stream another variant, which is checked against the rule of the specification.

| | floor | server | server / floor | bound |
|---|--:|--:|--:|--:|
| memory per idle stream, KiB | ${floor.perStream.toFixed(1)} | ${server.perStream.toFixed(1)} | ${factor(server.perStream, floor.perStream)} | ${MEMORY_FACTOR} |
| change → last of ${STREAMS} streams, ms: median of ${CHANGES} (longest) | ${times(floor.lasts)} | ${times(server.lasts)} | ${factor(median(server.lasts), median(floor.lasts))} | ${TIME_FACTOR} |
| the same, with ${SLOW} more clients that do not read | | ${times(server.beside)} | ${factor(median(server.beside), median(floor.lasts))} | ${TIME_FACTOR} |

Ready ${server.startMs.toFixed(0)} ms after its start (bound ${READY_MS}) with ${server.readyMib.toFixed(1)} MiB resident (bound ${READY_MIB}); ${server.openMib.toFixed(1)} MiB after ${STREAMS} loads, ${server.slowMib.toFixed(1)} MiB
with ${STREAMS} streams and ${SLOW} more whose clients do not read.
`;
}
