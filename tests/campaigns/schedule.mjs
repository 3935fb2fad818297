// 200 kills of the server around the times of scheduled changes: each is made once or is stale, on SQLite and on PostgreSQL.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { targetFolder } from "../../scripts/setup.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { FEATURES, Victim } from "../support/campaigns/victim.mjs";
import { generator } from "../support/generator.mjs";
import { percentile } from "../support/percentile.mjs";
import { onPostgres, onSqlite } from "./release/databases.mjs";
import { buildRelease } from "./release/server.mjs";

const KILLS = 200;
const SHORT_KILLS = 4;
const SEED = 20261126;
/** The changes of a round are due so long after they are requested, evenly spread. The kill comes at a random moment of the round. */
const [FIRST_DUE_MS, LAST_DUE_MS, ROUND_MS] = [250, 550, 800];
/** The short form runs beside other tests, where a request may take as long: its times are so many times as far away. */
const SHORT_PACE = 4;
/** From its time until a change is made. */
const MAX_LATE_MS = 2_000;
const SETTLED_WITHIN_MS = 30_000;

/**
 * `npm run campaign -- schedule [--kills 200]`: release build, so many kills on each database; a full run writes its figures to
 * docs/campaigns/schedule.md. With `--short`: a few kills of what is already built, on SQLite.
 */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { short: { type: "boolean" }, kills: { type: "string" } } });
  const kills = Number(values.kills ?? (values.short ? SHORT_KILLS : KILLS));
  assert.ok(Number.isInteger(kills) && kills > 0, `'${values.kills}' is not a number of kills`);
  const binary = join(values.short ? join(await targetFolder(), "debug") : await buildRelease(), "flagservice-server");
  const pace = values.short ? SHORT_PACE : 1;
  const work = (...database) => rounds({ binary, kills, pace }, ...database);
  if (values.short) {
    const { made, stale } = await onSqlite(work);
    process.stdout.write(`schedule, ${kills} kills: ${made + stale} changes made once or stale, 0 wrong\n`);
    return;
  }
  const results = [await onSqlite(work), await onPostgres(work)];
  for (const { late } of results)
    assert.ok(Math.max(...late) <= MAX_LATE_MS, `A change was ${Math.max(...late)} ms late`);
  if (kills === KILLS) await publish("schedule", report(kills, results));
  else process.stdout.write(report(kills, results));
}

function rounds({ binary, kills, pace }, name, folder, url) {
  return step(`${kills} kills on ${name}`, async (note) => {
    const victim = await Victim.seeded(binary, folder, url);
    const random = generator(SEED);
    const result = { name, made: 0, stale: 0, late: [] };
    await victim.start();
    for (let round = 1; round <= kills; round += 1) {
      await killOnce(new Schedule(victim, round, pace), random, result);
      await victim.check();
      note(`${round} of ${kills}, ${result.made} changes made, ${result.stale} stale`);
    }
    await victim.kill();
    return result;
  });
}

/** Schedules a change of each feature, changes one of them meanwhile, kills the server, and checks each change. */
async function killOnce(schedule, random, result) {
  const { pace } = schedule;
  const beganAt = Date.now();
  const share = (LAST_DUE_MS - FIRST_DUE_MS) / (FEATURES.length - 1);
  const changes = [];
  for (const [place, feature] of FEATURES.entries()) {
    changes.push(await schedule.add(feature, Date.now() + pace * (FIRST_DUE_MS + share * place)));
  }
  const disturbed = changes[Math.trunc(random() * changes.length)];
  const isStale = await schedule.disturb(disturbed);
  // The time of the kill is random; there is no event to wait for.
  const delay = Math.max(0, beganAt + random() * pace * ROUND_MS - Date.now());
  await new Promise((resolve) => setTimeout(resolve, delay));
  await schedule.victim.kill();
  await schedule.victim.start();
  for (const change of changes) {
    const { state, settledAt } = await schedule.settled(change);
    const expected = change === disturbed && isStale ? "stale" : "approved";
    assert.equal(state, expected, `the change of ${change.feature} in round ${schedule.round}`);
    assert.equal(await schedule.timesMade(change), expected === "approved" ? 1 : 0, change.id);
    result[expected === "approved" ? "made" : "stale"] += 1;
    result.late.push(Date.parse(settledAt) - change.due);
  }
}

/** The scheduled changes of one round. */
class Schedule {
  constructor(victim, round, pace) {
    this.victim = victim;
    this.round = round;
    this.pace = pace;
  }

  /** Schedules a change of the feature. */
  async add(feature, due) {
    const scheduledFor = new Date(Math.round(due)).toISOString();
    const { id } = await this.#send("PATCH", targeting(feature), {
      rules: [rule(`round ${this.round}`)],
      scheduledFor,
    });
    return { id, feature, due: Date.parse(scheduledFor) };
  }

  /** Changes the feature's targeting before its time. Returns whether it was in time. */
  async disturb({ id, feature }) {
    await this.#send("PATCH", targeting(feature), { rules: [rule(`disturbed in round ${this.round}`)] });
    const { state } = await this.#send("GET", `/approvals/${id}`);
    // The scheduler may have been first.
    return state !== "approved";
  }

  /** The change, once it waits no longer. */
  async settled({ id }) {
    const until = Date.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const change = await this.#send("GET", `/approvals/${id}`);
      if (change.state !== "scheduled") return change;
      assert.ok(Date.now() < until, `${id} is still scheduled`);
    }
  }

  /** How often the change was made: the audit log names it. */
  async timesMade({ id }) {
    const { items } = await this.#send("GET", "/audit-log?action=targeting.update&limit=100");
    return items.filter(({ after }) => JSON.stringify(after).includes(id)).length;
  }

  async #send(method, path, body) {
    const { base, demo } = this.victim;
    const address = `${base}/api/v1${path.startsWith("/audit-log") ? "" : "/projects/shop"}${path}`;
    const headers = { authorization: `Bearer ${demo.tokens.administrator.token}`, "content-type": "application/json" };
    const response = await fetch(address, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${address}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

function targeting(feature) {
  return `/features/${feature}/environments/staging`;
}

function rule(name) {
  return { name, splits: [{ variantKey: "on", percentage: 100 }] };
}

function report(kills, results) {
  const row = ({ name, made, stale, late }) => {
    const [median, p99] = [0.5, 0.99].map((share) => percentile(late, share).toFixed(0));
    return `| ${name} | ${kills} | ${made} | ${stale} | 0 | ${median} | ${p99} | ${Math.max(...late)} |`;
  };
  return `# ${kills} kills around the times of scheduled changes

\`npm run campaign -- schedule\`. In each round a change of ${FEATURES.length} features is scheduled, ${FIRST_DUE_MS} to
${LAST_DUE_MS} ms ahead, and one of them is changed meanwhile, which makes it stale. At a random moment of the first ${ROUND_MS} ms the
process gets a SIGKILL, and is started again on the same database. Then each change must have been made once, as the audit log says, or
be stale because of the other change, and \`flagservice-server check\` verifies the database. Seed ${SEED}. Release build,
${cpus().length} cores, which other work may share.

| Database | kills | made once | stale | made twice, lost, or wrong | late, median ms | p99 ms | longest ms |
|---|--:|--:|--:|--:|--:|--:|--:|
${results.map(row).join("\n")}

Late is the time from when a change was due until it was made. It includes that in which no server ran.
`;
}
