// 50 failovers of PostgreSQL under writes: what is lost, which streams close, and when writes succeed again after the promotion.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { Counter, Creator, Switcher } from "../support/campaigns/failover-writers.mjs";
import { openStream } from "../support/campaigns/stream.mjs";
import { FEATURES } from "../support/campaigns/victim.mjs";
import { generator } from "../support/generator.mjs";
import { percentile } from "../support/percentile.mjs";
import { startTwoPostgres } from "../support/server/two-postgres.mjs";
import { buildRelease, inFolder, serve } from "./release/server.mjs";

const FAILOVERS = 50;
const SEED = 20261125;
const NODES = 2;
const STREAMS = 20;
/** The longest time for which writers write before the primary is killed. */
const MAX_WRITING_MS = 500;
/** The time between the kill and the promotion: somebody has to notice. */
const [MIN_NOTICE_MS, MAX_NOTICE_MS] = [100, 5_000];
/** How many writes each writer makes after the promotion. */
const WRITES_AFTER = 3;
const LIMIT_MS = 5_000;
const RESULT = join(root, "docs", "campaigns", "failover.md");

/** `npm run campaign -- failover [--failovers 50]`: writes its figures to docs/campaigns/failover.md. */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { failovers: { type: "string", default: String(FAILOVERS) } } });
  const failovers = Number(values.failovers);
  assert.ok(Number.isInteger(failovers) && failovers > 0, `'${values.failovers}' is not a number of failovers`);
  const binaries = await buildRelease();
  const postgres = await step("a primary and its synchronous standby", (note) => startTwoPostgres(note));
  try {
    const result = await inFolder((folder) => measure(binaries, folder, postgres, failovers));
    const text = report(failovers, result);
    process.stdout.write(text);
    await writeFile(RESULT, text);
  } finally {
    await postgres.remove();
  }
}

async function measure(binaries, folder, postgres, failovers) {
  const [file, key] = [join(folder, "demo.json"), join(folder, "master.key")];
  process.env.FLAGSERVICE_KEY_FILE = key;
  const server = join(binaries, "flagservice-server");
  await run(server, ["seed", "demo", "--database-url", postgres.url, "--write", file]);
  const demo = JSON.parse(await readFile(file, "utf8"));
  const nodes = await Promise.all(Array.from({ length: NODES }, () => serve(binaries, folder, postgres.url)));
  const service = { nodes, postgres, writers: writersOf(nodes, demo.tokens.administrator.token), streams: [] };
  for (const node of nodes) {
    for (let number = 0; number < STREAMS; number += 1)
      service.streams.push(await openStream(node.base, demo.clientKeys.staging, { id: `user-${number}` }));
  }
  const random = generator(SEED);
  const result = { after: [], outages: [], closed: 0 };
  await step(`${failovers} failovers`, async (note) => {
    for (let done = 1; done <= failovers; done += 1) {
      if (done > 1) await postgres.addStandby();
      await failOver(service, random, result);
      await run(server, ["check", "--database-url", postgres.url]);
      note(`${done} of ${failovers}, the last one took ${(result.after.at(-1) / 1000).toFixed(1)} s`);
    }
  });
  for (const stream of service.streams) stream.close();
  await Promise.all(nodes.map((node) => node.stop()));
  const sum = (name) => service.writers.reduce((total, writer) => total + writer[name], 0);
  return { ...result, acknowledged: sum("acknowledged"), refused: sum("refused"), stored: sum("stored") };
}

/** Each node has a writer of each kind. */
function writersOf(nodes, token) {
  const features = [...FEATURES];
  return nodes.flatMap((node, index) => [
    new Switcher(node, token, features.shift()),
    new Counter(node, token, features.shift()),
    new Creator(node, token, `audience-${index}`),
  ]);
}

/** One failover, and the checks after it. */
async function failOver({ nodes, postgres, writers, streams }, random, result) {
  const before = new Map(writers.map((writer) => [writer, writer.acknowledged]));
  let promotion;
  const writesAfter = new Map(writers.map((writer) => [writer, []]));
  const isDone = (writer) => {
    const times = writesAfter.get(writer);
    if (promotion !== undefined && writer.lastAt > promotion && writer.lastAt !== times.at(-1))
      times.push(writer.lastAt);
    return times.length >= WRITES_AFTER;
  };
  const writing = Promise.all(writers.map((writer) => writer.run(isDone)));
  const failed = writing.then(() => assert.fail("the writers ended before the promotion"));
  failed.catch(() => {});
  // Everything that was acknowledged before is on the standby when a commit that waited for it has been acknowledged.
  await Promise.race([failed, until(() => writers.every((writer) => writer.acknowledged > before.get(writer)))]);
  // The moments of kill and promotion are random; there is no event to wait for.
  await pause(random() * MAX_WRITING_MS);
  await postgres.primary.kill();
  const killed = performance.now();
  await pause(MIN_NOTICE_MS + random() * (MAX_NOTICE_MS - MIN_NOTICE_MS));
  promotion = performance.now();
  await Promise.all([postgres.promote(), writing]);
  for (const node of nodes) {
    const first = Math.min(
      ...writers.filter((writer) => writer.node === node).map((writer) => writesAfter.get(writer)[0]),
    );
    result.after.push(first - promotion);
    result.outages.push(first - killed);
  }
  for (const writer of writers) await writer.check();
  for (const writer of writers.filter((writer) => writer instanceof Switcher))
    await Promise.all(streams.map((stream) => stream.shows(writer.feature, writer.variant)));
  result.closed = streams.filter((stream) => !stream.isOpen).length;
  assert.equal(result.closed, 0, "streams that closed");
  assert.ok(
    Math.max(...result.after) < LIMIT_MS,
    `writes succeeded again ${Math.max(...result.after)} ms after the promotion`,
  );
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function until(holds) {
  while (!holds()) await pause(1);
}

function report(failovers, { acknowledged, refused, stored, closed, after, outages }) {
  const seconds = (times, share) => (percentile(times, share) / 1000).toFixed(2);
  const command = `npm run campaign -- failover${failovers === FAILOVERS ? "" : ` --failovers ${failovers}`}`;
  return `# ${failovers} failovers of PostgreSQL under writes

\`${command}\`. A primary and its synchronous standby, and ${NODES} nodes whose database URL names
both. On each node three writers write, one write at a time: one switches a feature, one numbers its writes to a targeting, one creates
audiences. ${STREAMS} streams are open on each node. All processes of the primary get a SIGKILL up to ${MAX_WRITING_MS} ms after every \
writer's first
acknowledgement. After another ${MIN_NOTICE_MS / 1000} to ${MAX_NOTICE_MS / 1000} s \`pg_ctl promote\` promotes the standby. The old \
primary becomes its standby from a
fresh base backup, and everything begins again. Seed ${SEED}. Release build, ${cpus().length} cores, which other work may share.

| | |
|---|--:|
| Failovers | ${failovers} |
| Writes acknowledged | ${acknowledged} |
| of these lost | 0 |
| Requests refused, all with 503, and repeated | ${refused} |
| of these stored without a response | ${stored} |
| Streams that closed, of ${NODES * STREAMS} | ${closed} |
| From the promotion to a node's first acknowledged write: median | ${seconds(after, 0.5)} s |
| longest; limit ${LIMIT_MS / 1000} s | ${seconds(after, 1)} s |
| From the kill to a node's first acknowledged write: median | ${seconds(outages, 0.5)} s |

The time begins when \`pg_ctl promote\` is called, and there is one for each failover and node.

**How writes are counted.** A write is acknowledged when its response is 2xx. A request that is refused, or whose response is lost, is
unknown, not lost: it may be stored or not. The numbered writer then reads its number: the last acknowledged one, or the next. The one that
creates repeats its request with the same \`Idempotency-Key\`, and the repeat must be acknowledged whether the first request was stored or
not. After each failover every acknowledged write is read, each stream must have the current values without having been opened again, and
\`flagservice-server check\` verifies the database.
`;
}
