// 5,000 open streams: memory per stream compared with a bare stream, a change for all of them, and 1,000 clients that do not read.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { ADDRESSES, inBatches, lastOf, load, open, range, Thirds } from "../support/campaigns/many-streams.mjs";
import { buildRelease, inFolder, launchUnlimited, median, seedDemo } from "./release/server.mjs";

const STREAMS = 5_000;
const SLOW = 1_000;
const CHANGES = 10;
const SETTLE_MS = 3_000;
const MEMORY_FACTOR = 1.5;
const TIME_FACTOR = 3;
const READY_MS = 200;
const READY_MIB = 40;
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
  const process = await launchUnlimited(join(binaries, "streams-floor"), (port) => [`127.0.0.1:${port}`], log(folder));
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
  const server = await launchUnlimited(join(binaries, "flagservice-server"), args, log(folder));
  const readyMib = server.memory();
  const users = range(STREAMS).map((number) => `user-${number}`);
  const thirds = await Thirds.create(server, token, users);
  const loaded = await inBatches(users, (id) => load(server.base, clientKey, id));
  const before = server.memory();
  const port = Number(new URL(server.base).port);
  const streams = await inBatches(range(STREAMS), (number) => open(port, loaded[number].changes, number));
  const perStream = await growth(server, before);

  const lasts = [];
  for (let turn = 0; turn < CHANGES; turn += 1)
    lasts.push(await lastOf(streams, () => thirds.turn(turn), thirds.expected(turn)));

  // Without `since` these streams get all features, but do not read them.
  const slow = await inBatches(range(SLOW), (number) => open(port, loaded[number].all, number, false));
  const withSlow = [];
  for (let turn = CHANGES; turn < 2 * CHANGES; turn += 1) {
    withSlow.push(await lastOf(streams, () => thirds.turn(turn), thirds.expected(turn)));
  }
  const slowMib = server.memory();
  for (const stream of [...streams, ...slow]) stream.close();
  const { startMs } = server;
  await server.stop();
  return { perStream, lasts, withSlow, startMs, readyMib, openMib: before, slowMib };
}

const log = (folder) => join(folder, "process.log");

/** KiB per stream, after a pause. */
async function growth(process, before) {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return ((process.memory() - before) * 1024) / STREAMS;
}

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
