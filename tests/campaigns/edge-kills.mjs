// 200 kills of a server, an edge and an edge of the edge, during writes: no edge stays behind, and each goal is counted exactly once.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { step } from "../../scripts/progress.mjs";
import { targetFolder } from "../../scripts/setup.mjs";
import { publish } from "../support/campaigns/browser.mjs";
import { generator } from "../support/generator.mjs";
import { percentile } from "../support/percentile.mjs";
import { caughtUp, reported } from "../support/server/edge-state.mjs";
import { Chain, pause } from "./edge-kills/chain.mjs";
import { StreamClient } from "./edge-kills/stream-client.mjs";
import { FlagWriter, GoalSender, miscounted } from "./edge-kills/writers.mjs";
import { buildRelease, inFolder } from "./release/server.mjs";

const KILLS = 200;
const SHORT_KILLS = 6;
/** After so many kills the writers stop, and everything is compared. */
const KILLS_PER_CHECK = 20;
const SEED = 20261126;
/** The longest time between the first acknowledgements of a round and the kill, and until the node is started again. */
const [MAX_DELAY_MS, MAX_AWAY_MS] = [300, 500];
const FEATURES = ["new-checkout", "reviews", "gift-cards", "sticky-basket"];
const SENDERS_PER_EDGE = 2;
const USERS = Array.from({ length: 10 }, (_, number) => ({ id: `user-${number}` }));
const EQUAL_TIMEOUT_MS = 60_000;
const POLL_MS = 5;

/**
 * `npm run campaign -- edge-kills [--kills 200]`: release build; a full run writes its figures to docs/campaigns/edge-kills.md. With
 * `--short`: a few kills of what is already built.
 */
export async function campaign(args = []) {
  const { values } = parseArgs({ args, options: { short: { type: "boolean" }, kills: { type: "string" } } });
  const kills = Number(values.kills ?? (values.short ? SHORT_KILLS : KILLS));
  assert.ok(Number.isInteger(kills) && kills > 0, `'${values.kills}' is not a number of kills`);
  const folder = values.short ? join(await targetFolder(), "debug") : await buildRelease();
  const result = await inFolder((data) => run(join(folder, "flagservice-server"), data, kills));
  if (values.short) {
    process.stdout.write(`edges, ${kills} kills: ${result.goals} goals counted once, 0 missing\n`);
  } else if (kills === KILLS) {
    await publish("edge-kills", report(kills, result));
  } else process.stdout.write(report(kills, result));
}

function run(binary, folder, kills) {
  return step(`${kills} kills`, async (note) => {
    const chain = await Chain.start(binary, folder);
    const killing = new Killing(chain);
    try {
      for (let done = 0; done < kills; done += KILLS_PER_CHECK)
        await killing.roundsAndCheck(Math.min(KILLS_PER_CHECK, kills - done), note);
      killing.checkThatItCanFail();
      return killing.result();
    } finally {
      killing.stop();
      await chain.remove();
    }
  });
}

class Killing {
  #chain;
  #random = generator(SEED);
  #round = 0;
  #writers;
  #senders;
  #clients;
  #streaming;
  #counted;
  /** Milliseconds from the start of a killed node until every edge had what the server had at that start. */
  #behind = [];
  /** Milliseconds from the last acknowledgement until both edges served what the server did. */
  #equal = [];

  constructor(chain) {
    this.#chain = chain;
    this.#writers = FEATURES.map((feature) => new FlagWriter(chain, feature));
    this.#senders = chain.edges.flatMap((edge, place) =>
      Array.from(
        { length: SENDERS_PER_EDGE },
        (_, number) => new GoalSender(chain, edge, `edge-${place}-${number}`, () => this.#round),
      ),
    );
    this.#clients = chain.edges.flatMap((edge) => USERS.map((user) => new StreamClient(chain, edge, user)));
    this.#streaming = Promise.all(this.#clients.map((client) => client.run()));
    // A failure is noticed at the next check.
    this.#streaming.catch(() => {});
  }

  /** Kills nodes while everybody writes; then compares what all have. */
  async roundsAndCheck(rounds, note) {
    let stopped = false;
    const everybody = [...this.#writers, ...this.#senders];
    const writing = Promise.all(everybody.map((writer) => writer.run(() => stopped)));
    const failed = writing.then(() => assert.fail("the writers ended before the last kill"));
    failed.catch(() => {});
    const killing = async () => {
      for (let round = 0; round < rounds; round += 1) {
        await this.#killOne(everybody);
        note(`${this.#round} kills, ${this.#sum(this.#senders)} goals, ${this.#sum(this.#writers)} changes`);
      }
    };
    try {
      await Promise.race([killing(), failed]);
    } finally {
      stopped = true;
    }
    await writing;
    await this.#check();
  }

  async #killOne(everybody) {
    const { nodes, origin, edges } = this.#chain;
    this.#round += 1;
    const before = everybody.map(({ acknowledged }) => acknowledged);
    await until("everybody has an acknowledgement", () =>
      everybody.every(({ acknowledged }, index) => acknowledged > before[index]),
    );
    // The moments of kill and start are random; there is no event to wait for.
    await pause(this.#random() * MAX_DELAY_MS);
    const node = nodes[Math.floor(this.#random() * nodes.length)];
    await node.killFor(this.#random() * MAX_AWAY_MS);
    const startedAt = performance.now();
    for (const edge of edges) await caughtUp(origin.base, edge.base);
    this.#behind.push(performance.now() - startedAt);
  }

  async #check() {
    const { origin, edges } = this.#chain;
    // It never ends by itself, but it may have failed.
    await Promise.race([this.#streaming, undefined]);
    const stoppedAt = performance.now();
    for (const user of USERS) {
      const expected = await this.#chain.load(origin, user);
      for (const edge of edges)
        await until(`${edge.name} serves ${user.id} what the server does`, async () =>
          isDeepStrictEqual(await this.#chain.load(edge, user), expected),
        );
      for (const client of this.#clients.filter((client) => client.user === user))
        await until(`a stream of ${user.id} has what the server has`, () => {
          return isDeepStrictEqual(client.features, expected.features);
        });
    }
    this.#equal.push(performance.now() - stoppedAt);
    await reported(edges.map(({ base }) => base).reverse());
    this.#counted = await this.#countedGoals();
    assert.deepEqual(miscounted(this.#acknowledgedGoals(), this.#counted), []);
    await this.#chain.server.check();
  }

  /** The comparison of goals finds one that is missing, and one that was counted twice. */
  checkThatItCanFail() {
    for (const difference of [1, -1]) {
      const wrong = this.#acknowledgedGoals();
      const [key, count] = [...wrong][0];
      wrong.set(key, count + difference);
      assert.equal(miscounted(wrong, this.#counted).length, 1);
    }
  }

  #acknowledgedGoals() {
    return new Map(this.#senders.flatMap(({ counts }) => [...counts]));
  }

  /** What the server has counted beside the goals of the demo, by their keys. */
  async #countedGoals() {
    const counts = new Map();
    let cursor = "";
    do {
      const page = await this.#chain.rest("GET", `/environments/staging/goals?limit=200${cursor}`);
      for (const { key, count } of page.items) if (key.startsWith("edge-")) counts.set(key, count);
      cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : undefined;
    } while (cursor);
    return counts;
  }

  #sum(list, name = "acknowledged") {
    return list.reduce((total, one) => total + one[name], 0);
  }

  stop() {
    for (const client of this.#clients) client.stop();
  }

  result() {
    const kills = this.#chain.nodes.map(({ name, kills }) => [name, kills]);
    const [behind, equal] = [this.#behind, this.#equal];
    return {
      ...{ kills, behind, equal },
      changes: this.#sum(this.#writers),
      changesRepeated: this.#sum(this.#writers, "repeated"),
      goals: this.#sum(this.#senders),
      goalsRepeated: this.#sum(this.#senders, "repeated"),
      streams: this.#clients.length,
      opened: this.#sum(this.#clients, "opened"),
      lost: this.#sum(this.#clients, "lost"),
    };
  }
}

async function until(what, holds) {
  const deadline = Date.now() + EQUAL_TIMEOUT_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `not within ${EQUAL_TIMEOUT_MS / 1000} s: ${what}`);
    await pause(POLL_MS);
  }
}

function report(kills, result) {
  const seconds = (list, share) => (percentile(list, share) / 1000).toFixed(2);
  const { behind, equal } = result;
  return `# ${kills} kills of a server and its edges

\`npm run campaign -- edge-kills\`. A server on SQLite, an edge that follows it, and an edge that follows the edge. ${FEATURES.length}
writers change flags at the server, ${SENDERS_PER_EDGE} send goals to each edge, each one request at a time, and ${result.streams} streams
are open through the edges. Up to ${MAX_DELAY_MS} ms after everybody's first acknowledgement, one of the three nodes gets a SIGKILL. It is
started again up to ${MAX_AWAY_MS} ms later, while the writers continue. A request without an answer is sent again: a goal with the same id.
After every ${KILLS_PER_CHECK} kills the writers stop, and the loads of ${USERS.length} users, the values of the streams and the goals are
compared. Seed ${SEED}. Release build, ${cpus().length} cores, which other work may share.

| | |
|---|--:|
${result.kills.map(([name, count]) => `| Kills of ${name} | ${count} |`).join("\n")}
| Changes acknowledged | ${result.changes} |
| Changes sent again | ${result.changesRepeated} |
| Edges that served another value or version than the server at the end | 0 |
| From the start of the node until both edges have what the server had then: median | ${seconds(behind, 0.5)} s |
| longest | ${seconds(behind, 1)} s |
| From the last acknowledgement until both edges and all streams have the server's values: longest | ${seconds(equal, 1)} s |
| Goals acknowledged by an edge | ${result.goals} |
| Goals sent again | ${result.goalsRepeated} |
| Goals that the server did not count | 0 |
| Goals that the server counted twice | 0 |
| Streams opened | ${result.opened} |
| Streams that ended though their edge was not killed | ${result.lost} |
| Streams that did not have the server's values at the end | 0 |

Goals of one sender between two kills have one key, so a missing goal and one that was counted twice would not hide each other. The
campaign checks that its comparison finds one of each.
`;
}
