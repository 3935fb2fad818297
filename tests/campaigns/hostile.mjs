// A read-only token, an editor, a public client key and an idle TCP flood at their worst: kill switches of others, and memory.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPostgres } from "../../scripts/postgres.mjs";
import { start } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import {
  MEMORY_FACTOR,
  MEMORY_MIB,
  NICENESS,
  P99_MS,
  RETURN_WITHIN_MS,
  report,
  SETTLE_MS,
  summary,
  WARM_UP_SECONDS,
} from "./hostile/report.mjs";
import { ATTACKED, restore, startService } from "./hostile/service.mjs";
import { watch } from "./hostile/watch.mjs";
import { buildRelease, inFolder } from "./release/server.mjs";

const SECONDS = 60;
const POLL_MS = 500;
const ATTACK = join(root, "tests", "campaigns", "hostile", "attack.mjs");
const RESULT = join(root, "docs", "campaigns", "hostile.md");
/** Each attacker's loopback addresses. */
const ADDRESSES = {
  reader: ["127.0.0.2", "127.0.0.3"],
  editor: ["127.0.0.4", "127.0.0.5"],
  "client-key": ["127.0.0.6", "127.0.0.7", "127.0.0.8"],
  flood: ["127.0.0.9", "127.0.0.10"],
};
const ATTACKERS = Object.keys(ADDRESSES);
const SCENARIOS = {
  quiet: [],
  ...Object.fromEntries(ATTACKERS.map((attacker) => [attacker, [attacker]])),
  all: ATTACKERS,
};
const DATABASES = {
  SQLite: (work) => inFolder((folder) => work(folder, `sqlite:${join(folder, "flagservice.db")}`)),
  PostgreSQL: async (work) => {
    const postgres = await startPostgres();
    try {
      return await inFolder((folder) => work(folder, postgres.url));
    } finally {
      await postgres.stop();
    }
  },
};

/**
 * `npm run campaign -- hostile [seconds] [name…]`: attacks for so many seconds. Names choose databases and scenarios. A whole run
 * writes its figures to docs/campaigns/hostile.md.
 */
export async function campaign([seconds = String(SECONDS), ...names]) {
  assert.ok(Number(seconds) > 0, `'${seconds}' is not a number of seconds`);
  const chosen = (all) => {
    const some = Object.entries(all).filter(([name]) => names.includes(name));
    return some.length > 0 ? some : Object.entries(all);
  };
  const binaries = await buildRelease();
  const results = {};
  for (const [name, withDatabase] of chosen(DATABASES)) {
    results[name] = await withDatabase(async (folder, url) => {
      const title = `${name}: a server with two projects of many features`;
      const service = await step(title, (note) => startService(binaries, folder, url, note));
      const rows = [];
      for (const [scenario, attackers] of chosen(SCENARIOS)) {
        rows.push(await step(`${name}: ${scenario}`, () => attacked(service, scenario, attackers, Number(seconds))));
        process.stdout.write(`    ${summary(rows.at(-1))}\n`);
      }
      await service.server.stop();
      return rows;
    });
  }
  const text = report(results, Number(seconds));
  process.stdout.write(text);
  if (Number(seconds) === SECONDS && names.length === 0) {
    await mkdir(join(root, "docs", "campaigns"), { recursive: true });
    await writeFile(RESULT, text);
  }
  for (const [name, rows] of Object.entries(results)) for (const row of rows) check(`${name}, ${row.scenario}`, row);
}

/** Measures an attack after a shorter one, which fills caches. */
async function attacked(service, scenario, attackers, seconds) {
  const { server, victim } = service;
  if (attackers.length > 0) {
    await Promise.all(attackers.map((attacker) => attack(service, attacker, WARM_UP_SECONDS, "w")));
    await restore(service);
    await pause(SETTLE_MS);
  }
  const before = server.memory();
  const work = () =>
    Promise.all([pause(seconds * 1000), ...attackers.map((name) => attack(service, name, seconds, "a"))]);
  const { result, memory, kept, fresh, ready, errors } = await watch(server, victim, work);
  await restore(service);
  const returned = await returnOf(server, before);
  const counts = result.slice(1);
  return { scenario, counts, kept, fresh, ready, errors, before, largest: Math.max(...memory), ...returned };
}

/** Runs an attacker in a process of its own. Resolves to its counts. */
async function attack({ server, reader, editor, clientKey }, attacker, seconds, run) {
  const token = { reader, editor }[attacker];
  const port = Number(new URL(server.base).port);
  const [project] = ATTACKED;
  const target = {
    attacker,
    port,
    seconds,
    addresses: ADDRESSES[attacker],
    token,
    clientKey,
    project,
    projects: ATTACKED,
    run,
  };
  const command = ["-n", String(NICENESS), process.execPath, ATTACK, JSON.stringify(target)];
  const { child, exited } = start("nice", command, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  assert.equal(await exited, 0, `the attacker ${attacker} failed`);
  return JSON.parse(output);
}

/** Waits until the memory is near what it was before. Returns the last value and how long it took. */
async function returnOf(server, before) {
  const startedAt = performance.now();
  for (;;) {
    const after = server.memory();
    const took = performance.now() - startedAt;
    if (after <= before * MEMORY_FACTOR || took > RETURN_WITHIN_MS) return { after, returnMs: took };
    await pause(POLL_MS);
  }
}

function check(name, { kept, fresh, ready, errors, before, largest, after }) {
  assert.deepEqual(errors, [], `${name}: a kill switch or readiness failed`);
  assert.ok(ready.length > 0, `${name}: readiness was not read`);
  const p99 = percentile([...kept, ...fresh], 0.99);
  assert.ok(p99 <= P99_MS, `${name}: p99 of the kill switches is ${p99.toFixed(1)} ms`);
  assert.ok(largest <= MEMORY_MIB, `${name}: the server used ${largest.toFixed(0)} MiB`);
  assert.ok(
    after <= before * MEMORY_FACTOR,
    `${name}: ${after.toFixed(0)} MiB after the attack, ${before.toFixed(0)} before`,
  );
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
