// 100 kills of the server while a guard of an experiment trips: the split is set back once, on SQLite and on PostgreSQL.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { targetFolder } from "../../scripts/setup.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { Victim } from "../support/campaigns/victim.mjs";
import { generator } from "../support/generator.mjs";
import { percentile } from "../support/percentile.mjs";
import { onPostgres, onSqlite } from "./release/databases.mjs";
import { buildRelease } from "./release/server.mjs";

const KILLS = 100;
const SHORT_KILLS = 3;
const SEED = 20261126;
/** The rounds before the kills, in which nobody kills the server, so that the time to the page is known. */
const QUIET_ROUNDS = 20;
const SHORT_QUIET_ROUNDS = 2;
/** The kill comes at a random moment of this time after the goals are sent. */
const KILL_WITHIN_MS = 250;
const TRIPPED_WITHIN_MS = 30_000;
const MAX_ON_PAGE_MS = 1_000;
const FEATURE = "reviews";
const TARGETING = `/projects/shop/features/${FEATURE}/environments/staging`;
const EXPERIMENTS = "/projects/shop/environments/staging/experiments";
const [PARTICIPANTS, WORSE, CONTROL] = [100, 60, 5];

/**
 * `npm run campaign -- guards`: release build, so many kills on each database; writes its figures to docs/campaigns/guards.md. With
 * `--short`: a few kills of what is already built, on SQLite.
 */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { short: { type: "boolean" } } });
  const [kills, quiet] = values.short ? [SHORT_KILLS, SHORT_QUIET_ROUNDS] : [KILLS, QUIET_ROUNDS];
  const binaries = values.short ? join(await targetFolder(), "debug") : await buildRelease();
  const work = (...database) => rounds(join(binaries, "flagservice-server"), { kills, quiet }, ...database);
  if (values.short) {
    const { trips } = await onSqlite(work);
    process.stdout.write(`guards, ${kills} kills: ${trips} trips, each once, 0 wrong\n`);
    return;
  }
  const results = [await onSqlite(work), await onPostgres(work)];
  for (const { onPage } of results) assert.ok(Math.max(...onPage) <= MAX_ON_PAGE_MS, `${Math.max(...onPage)} ms`);
  await publish("guards", report(results));
}

function rounds(binary, { kills, quiet }, name, folder, url) {
  return step(`${kills} kills on ${name}`, async (note) => {
    const victim = await Victim.seeded(binary, folder, url);
    const random = generator(SEED);
    const result = { name, trips: 0, before: 0, onPage: [] };
    await victim.start();
    for (let round = 1; round <= quiet; round += 1) result.onPage.push(await tripOnOpenPage(new Round(victim, round)));
    for (let round = quiet + 1; round <= quiet + kills; round += 1) {
      if (await killOnce(new Round(victim, round), random)) result.before += 1;
      result.trips += 1;
      await victim.check();
      note(`${round - quiet} of ${kills}`);
    }
    await victim.kill();
    return result;
  });
}

/** The milliseconds from the response to the last goal until an open page has the control. */
async function tripOnOpenPage(round) {
  await round.begin();
  const page = await round.openPage();
  await round.reportGuard();
  const sentAt = performance.now();
  await page.hasControl;
  const took = performance.now() - sentAt;
  page.close();
  await round.checkTrip();
  return took;
}

/** Kills the server around the trip. Returns whether the trip was noted before the kill. */
async function killOnce(round, random) {
  await round.begin();
  // The time of the kill is random; there is no event to wait for.
  const killed = new Promise((resolve) => setTimeout(resolve, random() * KILL_WITHIN_MS));
  const sent = round.reportGuard().catch(() => {});
  await killed;
  await round.victim.kill();
  await sent;
  await round.victim.start();
  const [already] = (await round.experiment()).guardTrips;
  // What was not acknowledged is sent again, as by a client.
  await round.reportGuard();
  await round.checkTrip();
  return already !== undefined;
}

/** An experiment of its own, on a split that is made again. */
class Round {
  constructor(victim, round) {
    this.victim = victim;
    this.round = round;
    this.key = `round-${round}`;
  }

  async begin() {
    const half = (variantKey) => ({ variantKey, percentage: 50 });
    const rules = [{ name: "Half", splits: [half("on"), half("off")] }];
    await this.#send("PUT", TARGETING, { enabled: true, offVariantKey: "off", rules });
    const goals = [
      { key: "sale", role: "primary" },
      { key: "error", role: "guard", direction: "decrease" },
    ];
    const design = { goals, controlVariantKey: "off", plannedParticipants: 2 * PARTICIPANTS };
    await this.#send("POST", EXPERIMENTS, { key: this.key, name: this.key, featureKey: FEATURE, ...design });
    await this.#send("POST", `${EXPERIMENTS}/${this.key}/start`);
    for (const variant of ["on", "off"]) {
      const participation = (number) => ({ feature: FEATURE, variant, userId: this.#user(variant, number) });
      await this.#report({
        participations: Array.from({ length: PARTICIPANTS }, (_, number) => participation(number)),
      });
    }
  }

  /** Sends the goals with which the guard is worse with `on`. */
  async reportGuard() {
    const goal = (variant) => (_, number) => ({
      id: `${this.key}-${variant}-${number}`.padEnd(12, "0"),
      key: "error",
      userId: this.#user(variant, number),
    });
    await this.#report({ goals: Array.from({ length: CONTROL }, goal("off")) });
    // With fewer conversions of the control than this, nothing is concluded.
    await this.#report({ goals: Array.from({ length: 2 * CONTROL }, goal("off")) });
    await this.#report({ goals: Array.from({ length: WORSE }, goal("on")) });
  }

  /** A page whose user has `on`. */
  async openPage() {
    const client = `${this.victim.base}/client/v1/${this.victim.demo.clientKeys.staging}`;
    for (let number = 0; ; number += 1) {
      const body = JSON.stringify({ user: { id: `page-${this.round}-${number}` } });
      const { features, since, token } = await (await fetch(`${client}/load`, { method: "POST", body })).json();
      if (features[FEATURE] !== "on") continue;
      const controller = new AbortController();
      const response = await fetch(`${client}/stream?token=${token}&since=${since}`, { signal: controller.signal });
      return { hasControl: changesTo(response.body, "off"), close: () => controller.abort() };
    }
  }

  experiment() {
    return this.#send("GET", `${EXPERIMENTS}/${this.key}`);
  }

  /** Waits until the guard has tripped, and checks that it has once, with one change; then stops the experiment. */
  async checkTrip() {
    const until = Date.now() + TRIPPED_WITHIN_MS;
    while ((await this.experiment()).guardTrips.length === 0)
      assert.ok(Date.now() < until, `${this.key} does not trip`);
    const { guardTrips } = await this.experiment();
    assert.deepEqual(
      guardTrips.map(({ goalKey, variantKey }) => [goalKey, variantKey]),
      [["error", "on"]],
    );
    const { items } = await this.#send("GET", "/audit-log?action=targeting.update&limit=20");
    const named = items.filter(({ after }) => JSON.stringify(after).includes(`The experiment '${this.key}'`));
    assert.equal(named.length, 1, `${this.key} was set back ${named.length} times`);
    const { rules } = await this.#send("GET", TARGETING);
    assert.deepEqual(rules[0].splits, [{ variantKey: "off", percentage: 100 }]);
    await this.#send("POST", `${EXPERIMENTS}/${this.key}/stop`, {});
  }

  #user(variant, number) {
    return `${this.key}-${variant}-${number}`;
  }

  async #report(report) {
    const { base, demo } = this.victim;
    const path = `${base}/client/v1/${demo.clientKeys.staging}/goals`;
    const response = await fetch(path, { method: "POST", body: JSON.stringify(report) });
    assert.equal(response.status, 202, await response.text());
  }

  async #send(method, path, body) {
    const { base, demo } = this.victim;
    const headers = { authorization: `Bearer ${demo.tokens.administrator.token}`, "content-type": "application/json" };
    const response = await fetch(`${base}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

/** Resolves when a stream gives the feature this variant. */
async function changesTo(stream, variant) {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString();
    if (text.includes(`"${FEATURE}":"${variant}"`)) return;
  }
  throw new Error("the stream ended");
}

function report(results) {
  const row = ({ name, trips, before, onPage }) => {
    const [median, longest] = [0.5, 1].map((share) => percentile(onPage, share).toFixed(0));
    return `| ${name} | ${KILLS} | ${trips} | ${before} | 0 | ${median} | ${longest} |`;
  };
  return `# ${KILLS} kills while a guard trips

\`npm run campaign -- guards\`. In each round an experiment begins, ${PARTICIPANTS} users take part with each of two variants, and goals
of a guard are sent, ${WORSE} with one variant and ${2 * CONTROL} with the control. At a random moment of the first ${KILL_WITHIN_MS} ms the
process gets a SIGKILL, and is started again on the same database; what was not acknowledged is sent again. Then the guard must have
tripped once, the audit log must name one change of the targeting, the control must have all users, and \`flagservice-server check\`
verifies the database. Before that, ${QUIET_ROUNDS} rounds without a kill measure the time from the response to the last goal until an open
page has the control. Seed ${SEED}. Release build, ${cpus().length} cores, which other work may share.

| Database | kills | tripped once | of these before the kill | twice, lost, or wrong | on the page after, median ms | longest ms |
|---|--:|--:|--:|--:|--:|--:|
${results.map(row).join("\n")}
`;
}
