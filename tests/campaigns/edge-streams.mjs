// 50,000 open streams on one edge: its memory, the time of a change to the last of them, and 1,000 changes in a row.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { ADDRESSES, inBatches, lastOf, load, open, range, Thirds } from "../support/campaigns/many-streams.mjs";
import { buildRelease, inFolder, launchUnlimited, median, seedDemo, serve } from "./release/server.mjs";

const STREAMS = 50_000;
/** What a process opens besides its streams, and more. */
const OTHER_FILES = 1_000;
const CHANGES = 20;
const CHANGES_IN_A_ROW = 1_000;
const SETTLE_MS = 3_000;
const POLL_MS = 100;
const LIMIT_MIB = 700;
const LIMIT_MS = 1_500;
const RIGHT_TIMEOUT_MS = 120_000;

/**
 * `npm run campaign -- edge-streams [--streams N]`. Without a number: 50,000, or as many as a process may open files on this machine;
 * writes its figures to docs/campaigns/edge-streams.md.
 */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { streams: { type: "string" } } });
  const files = Number(execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" })) || Number.POSITIVE_INFINITY;
  const count = Number(values.streams ?? Math.min(STREAMS, files - OTHER_FILES));
  assert.ok(Number.isInteger(count) && count > 0, `'${values.streams}' is not a number of streams`);
  const binaries = await buildRelease();
  const result = await inFolder((folder) => measure(binaries, folder, count));
  const text = report(count, files, result);
  if (values.streams) process.stdout.write(text);
  else await publish("edge-streams", text);
  assert.ok(result.peakMib <= LIMIT_MIB, `the edge has ${result.peakMib.toFixed(0)} MiB`);
  assert.ok(Math.max(...result.lasts) <= LIMIT_MS, `a change took ${Math.max(...result.lasts).toFixed(0)} ms`);
}

async function measure(binaries, folder, count) {
  const { database, token, clientKey } = await seedDemo(binaries, folder);
  const server = await serve(binaries, folder, database);
  const { key } = await server.request(token, "POST", "/api/v1/projects/shop/edge-keys", { name: "Streams" });
  process.env.FLAGSERVICE_EDGE_KEY = key;
  const limits = ["--requests-per-second", "10000000", "--streams-per-address", String(count)];
  const args = (port) => [
    ...["edge", "--upstream", server.base, "--listen", `127.0.0.1:${port}`, "--data", join(folder, "edge")],
    ...limits,
  ];
  const edge = await launchUnlimited(join(binaries, "flagservice-server"), args, join(folder, "edge.log"));
  const users = range(count).map((number) => `user-${number}`);
  const thirds = await Thirds.create(server, token, users);
  await firstChange(edge, clientKey, thirds);
  const [readyMib, port] = [edge.memory(), Number(new URL(edge.base).port)];
  const streams = await step(`${count} streams`, () =>
    inBatches(range(count), async (number) =>
      open(port, (await load(edge.base, clientKey, users[number])).changes, number),
    ),
  );
  await pause(SETTLE_MS);
  const openMib = edge.memory();
  let turn = 1;
  const lasts = [];
  await step(`${CHANGES} changes`, async () => {
    for (; turn <= CHANGES; turn += 1)
      lasts.push(await lastOf(streams, () => thirds.turn(turn), thirds.expected(turn)));
  });
  const inARow = await step(`${CHANGES_IN_A_ROW} changes in a row`, (note) =>
    changeInARow(streams, thirds, turn, edge, note),
  );
  assert.equal(streams.filter((stream) => !stream.isOpen).length, 0, "streams that closed");
  const peakMib = edge.memory("VmHWM");
  for (const stream of streams) stream.close();
  await edge.stop();
  await server.stop();
  return { readyMib, openMib, lasts, inARow, peakMib };
}

/** Gives the new feature its first variants: when a stream shows one, the edge has the feature. */
async function firstChange(edge, clientKey, thirds) {
  const { changes } = await load(edge.base, clientKey, "user-0");
  const stream = await open(Number(new URL(edge.base).port), changes, 0);
  await lastOf([stream], () => thirds.turn(0), thirds.expected(0));
  stream.close();
}

/** Makes all changes without waiting for a stream, then waits until every stream has the last one. */
async function changeInARow(streams, thirds, first, edge, note) {
  let received = 0;
  for (const stream of streams)
    stream.onVariant = () => {
      received += 1;
    };
  const began = performance.now();
  const last = first + CHANGES_IN_A_ROW - 1;
  for (let turn = first; turn <= last; turn += 1) {
    await thirds.turn(turn);
    note(`${turn - first + 1} of ${CHANGES_IN_A_ROW}`);
  }
  const changed = performance.now();
  const expected = thirds.expected(last);
  const incorrect = () => streams.filter((stream, number) => stream.variant !== expected(number)).length;
  while (incorrect() > 0) {
    assert.ok(performance.now() - changed < RIGHT_TIMEOUT_MS, `${incorrect()} streams do not have the last change`);
    await pause(POLL_MS);
  }
  return { changesMs: changed - began, rightMs: performance.now() - changed, received, mib: edge.memory() };
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function report(count, files, { readyMib, openMib, peakMib, lasts, inARow }) {
  const streams = count.toLocaleString("en");
  const all = STREAMS.toLocaleString("en");
  const fewer = `A process may open ${files} files on this machine, so these are not ${all} streams. At the same cost a stream,
${all} would need ${(readyMib + ((openMib - readyMib) * STREAMS) / count).toFixed(0)} MiB.

`;
  return `# ${streams} open streams on one edge

\`npm run campaign -- edge-streams\`. The release binary: a server with the demo's data on SQLite, an edge that follows it, and ${streams}
clients of the edge on ${ADDRESSES} loopback addresses, each with a user of its own, in one Node process on the same ${cpus().length} \
cores. Every change
gives each user another variant, which is checked against the rule of the specification.

${count < STREAMS ? fewer : ""}| | | bound |
|---|--:|--:|
| memory of the edge when ready | ${readyMib.toFixed(0)} MiB | |
| with ${streams} streams | ${openMib.toFixed(0)} MiB | |
| a stream | ${(((openMib - readyMib) * 1024) / count).toFixed(1)} KiB | 10 KiB |
| the most in the whole run | ${peakMib.toFixed(0)} MiB | ${LIMIT_MIB} MiB |
| REST request to the server → last stream, median of ${CHANGES} | ${median(lasts).toFixed(0)} ms | |
| longest | ${Math.max(...lasts).toFixed(0)} ms | ${LIMIT_MS} ms |
| ${CHANGES_IN_A_ROW.toLocaleString("en")} changes in a row, none waits for a stream | \
${(inARow.changesMs / 1000).toFixed(1)} s | |
| every stream has the last one, after its response | ${(inARow.rightMs / 1000).toFixed(1)} s | |
| streams that closed, or ended with another value | 0 | 0 |

A stream that cannot keep up gets the newest values alone: the clients received ${inARow.received.toLocaleString("en")} values of \
${(count * CHANGES_IN_A_ROW).toLocaleString("en")}.
`;
}
