// 200 kills of the server during writes: whether all acknowledged writes are stored, on SQLite and on PostgreSQL.
import assert from "node:assert/strict";
import { open, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { buildRelease, inFolder } from "./release/server.mjs";

const KILLS = 200;
const SEED = 20261121;
/** The maximum time between the first acknowledgement of a round and the kill. */
const MAX_DELAY_MS = 500;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 10;
const FEATURES = ["new-checkout", "reviews", "gift-cards", "sticky-basket"];
const RESULT = join(root, "docs", "campaigns", "kills.md");

/**
 * `npm run campaign -- kills [number]`: this many kills on each database, both at the same time. A full run writes its figures to
 * docs/campaigns/kills.md.
 */
export async function campaign([number = String(KILLS)] = []) {
  const kills = Number(number);
  assert.ok(Number.isInteger(kills) && kills > 0, `'${number}' is not a number of kills`);
  const binary = join(await buildRelease(), "flagservice-server");
  const results = await Promise.all([onSqlite(binary, kills), onPostgres(binary, kills)]);
  const text = report(kills, results);
  process.stdout.write(text);
  if (kills === KILLS) await writeFile(RESULT, text);
}

function onSqlite(binary, kills) {
  return inFolder((folder) => rounds("SQLite", binary, kills, folder, `sqlite:${join(folder, "flagservice.db")}`));
}

async function onPostgres(binary, kills) {
  const postgres = await startPostgres();
  try {
    return await inFolder((folder) => rounds("PostgreSQL", binary, kills, folder, postgres.url));
  } finally {
    await postgres.stop();
  }
}

function rounds(name, binary, kills, folder, url) {
  return step(`${kills} kills on ${name}`, async (note) => {
    const victim = await Victim.seeded(binary, folder, url);
    const random = generator(SEED);
    const result = { name, acknowledged: 0, inFlight: 0, starts: [] };
    // The number of each writer's last stored write.
    const ledger = new Map([...FEATURES, "audience", "goals"].map((writer) => [writer, 0]));
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

/** The server to kill, with its database. */
class Victim {
  #binary;
  #database;
  #demo;
  #log;
  #base;
  #port;
  #process;
  #killed = false;

  static async seeded(binary, folder, url) {
    const victim = new Victim();
    victim.#binary = binary;
    victim.#database = ["--database-url", url, "--key-file", join(folder, "master.key")];
    victim.#log = join(folder, "server.log");
    victim.#port = await freePort();
    victim.#base = `http://127.0.0.1:${victim.#port}`;
    const file = join(folder, "demo.json");
    await run(victim.#binary, ["seed", "demo", "--write", file, ...victim.#database]);
    victim.#demo = JSON.parse(await readFile(file, "utf8"));
    return victim;
  }

  /** Starts the server. Returns the milliseconds until it is ready. */
  async start() {
    const startedAt = performance.now();
    const log = await open(this.#log, "a");
    const limits = ["--requests-per-second", "100000", "--caller-requests-per-second", "100000"];
    const options = ["serve", "--listen", `127.0.0.1:${this.#port}`, ...limits];
    const stdio = ["ignore", log.fd, log.fd];
    this.#process = start(this.#binary, [...options, ...this.#database], { stdio, env: { RUST_LOG: "warn" } });
    await log.close();
    this.#killed = false;
    while (!(await this.#isReady())) {
      const isLate = performance.now() - startedAt > READY_WITHIN_MS;
      if (isLate) throw new Error(`The server did not become ready:\n${await readFile(this.#log, "utf8")}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return performance.now() - startedAt;
  }

  async kill() {
    this.#killed = true;
    await this.#process.stop("SIGKILL");
  }

  /** Makes the writer's write with this number. Returns whether it was acknowledged, which may fail only because of a kill. */
  async write(writer, number) {
    const [path, request] = this.#request(writer, number);
    let response;
    try {
      response = await fetch(`${this.#base}${path}`, request);
      // The status line is the acknowledgement.
      if (response.ok) return true;
    } catch (error) {
      assert.ok(this.#killed, `${writer}: ${error.cause ?? error}`);
      return false;
    }
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  #request(writer, number) {
    const send = (method, body) => ({ method, headers: this.#headers, body: JSON.stringify(body) });
    if (writer === "goals") {
      const goal = { id: `goal-${String(number).padStart(8, "0")}`, key: "kill", userId: "ada" };
      return [
        `/client/v1/${this.#demo.clientKeys.staging}/goals`,
        { method: "POST", body: JSON.stringify({ goals: [goal] }) },
      ];
    }
    if (writer === "audience") {
      // Changes every feature and environment that uses the audience, in one transaction.
      const conditions = [{ attribute: "number", operator: "equals", values: [number] }];
      return ["/api/v1/projects/shop/audiences/nordics", send("PATCH", { conditions })];
    }
    const rule = { name: String(number), conditions: [], splits: [{ variantKey: "on", percentage: 100 }] };
    return [this.#targeting(writer), send("PUT", { enabled: true, offVariantKey: "off", rules: [rule] })];
  }

  /** The number of the writer's last stored write. */
  async stored(writer) {
    if (writer === "goals") {
      const { items } = await this.#read("/api/v1/projects/shop/environments/staging/goals");
      return items.find((goal) => goal.key === "kill")?.count ?? 0;
    }
    if (writer === "audience") {
      const { conditions } = await this.#read("/api/v1/projects/shop/audiences/nordics");
      return conditions[0].attribute === "number" ? conditions[0].values[0] : 0;
    }
    const { rules } = await this.#read(this.#targeting(writer));
    return Number(rules[0]?.name) || 0;
  }

  /** Checks that the database is consistent, including its outbox and versions. */
  async check() {
    await run(this.#binary, ["check", ...this.#database]);
  }

  #targeting(feature) {
    return `/api/v1/projects/shop/features/${feature}/environments/staging`;
  }

  get #headers() {
    return { authorization: `Bearer ${this.#demo.tokens.administrator.token}`, "content-type": "application/json" };
  }

  async #read(path) {
    const response = await fetch(`${this.#base}${path}`, { headers: this.#headers });
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  }

  async #isReady() {
    try {
      return (await fetch(`${this.#base}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }
}

/** Random numbers from 0 to 1, the same in every run (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
