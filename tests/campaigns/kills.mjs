// 200 kills of the server during writes: whether all acknowledged writes are stored, on SQLite and on PostgreSQL.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { FEATURES, Victim, WRITERS } from "../support/campaigns/victim.mjs";
import { generator } from "../support/generator.mjs";
import { percentile } from "../support/percentile.mjs";
import { onPostgres, onSqlite } from "./release/databases.mjs";
import { buildRelease } from "./release/server.mjs";

const KILLS = 200;
const SEED = 20261121;
/** The maximum time between the first acknowledgement of a round and the kill. */
const MAX_DELAY_MS = 500;
const RESULT = join(root, "docs", "campaigns", "kills.md");

/**
 * `npm run campaign -- kills [number]`: this many kills on each database, both at the same time. A full run writes its figures to
 * docs/campaigns/kills.md.
 */
export async function campaign([number = String(KILLS)] = []) {
  const kills = Number(number);
  assert.ok(Number.isInteger(kills) && kills > 0, `'${number}' is not a number of kills`);
  const binary = join(await buildRelease(), "flagservice-server");
  const work = (...database) => rounds(binary, kills, ...database);
  const results = await Promise.all([onSqlite(work), onPostgres(work)]);
  const text = report(kills, results);
  process.stdout.write(text);
  if (kills === KILLS) await writeFile(RESULT, text);
}

function rounds(binary, kills, name, folder, url) {
  return step(`${kills} kills on ${name}`, async (note) => {
    const victim = await Victim.seeded(binary, folder, url);
    const random = generator(SEED);
    const result = { name, acknowledged: 0, inFlight: 0, starts: [] };
    // The number of each writer's last stored write.
    const ledger = new Map(WRITERS.map((writer) => [writer, 0]));
    result.starts.push(await victim.start());
    for (let round = 1; round <= kills; round += 1) {
      const acknowledged = await writeUntilKilled(victim, ledger, random() * MAX_DELAY_MS);
      result.starts.push(await victim.start());
      for (const [writer, before] of ledger) {
        const expected = before + acknowledged.get(writer);
        const stored = await victim.stored(writer);
        // A write in progress may have been stored without a response.
        const details = `${name}, kill ${round}, ${writer}: ${expected} acknowledged, ${stored} stored`;
        assert.ok(stored === expected || stored === expected + 1, details);
        result.acknowledged += acknowledged.get(writer);
        result.inFlight += stored - expected;
        ledger.set(writer, stored);
      }
      await victim.check();
      note(`${round} of ${kills}, ${result.acknowledged} writes acknowledged`);
    }
    await victim.kill();
    return result;
  });
}

/** Lets every writer write sequentially, kills the server meanwhile, and returns the number of acknowledged writes of each. */
async function writeUntilKilled(victim, ledger, delay) {
  const acknowledged = new Map([...ledger.keys()].map((writer) => [writer, 0]));
  let onFirst;
  const first = new Promise((resolve) => {
    onFirst = resolve;
  });
  const writer = async ([name, before]) => {
    for (let number = before + 1; await victim.write(name, number); number += 1) {
      acknowledged.set(name, number - before);
      onFirst();
    }
  };
  const writers = [...ledger].map(writer);
  await Promise.race([first, Promise.all(writers)]);
  // The time of the kill is random; there is no event to wait for.
  await new Promise((resolve) => setTimeout(resolve, delay));
  await victim.kill();
  await Promise.all(writers);
  return acknowledged;
}

function report(kills, results) {
  const row = ({ name, acknowledged, inFlight, starts }) => {
    const [median, p99] = [0.5, 0.99].map((share) => percentile(starts, share).toFixed(0));
    return `| ${name} | ${kills} | ${acknowledged} | 0 | ${inFlight} | ${median} | ${p99} |`;
  };
  return `# ${kills} kills of the server in the middle of writes

\`npm run campaign -- kills\`. ${FEATURES.length + 2} concurrent writers, each with one write at a time: ${FEATURES.length} targetings, \
an audience whose edit
changes several features and environments, and goals. Up to ${MAX_DELAY_MS} ms after the first acknowledgement the process gets a
SIGKILL and is restarted on the same database. Each time, every writer's last acknowledged write must be there, and
\`flagservice-server check\` verifies that the database is consistent and that each environment's version is the last of its outbox.
Seed ${SEED}. Release build, both databases at the same time on ${cpus().length} cores, which other work may share.

| Database | kills | writes acknowledged | of these lost | stored without a response | ready again, median ms | p99 ms |
|---|--:|--:|--:|--:|--:|--:|
${results.map(row).join("\n")}

A write in progress may be stored or not: a writer's last write may be stored without an acknowledgement, but never the reverse.
`;
}
