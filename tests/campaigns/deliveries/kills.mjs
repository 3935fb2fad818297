// 200 kills of the server during 2,000 changes: the annotation or the webhook of each change arrives, in order, and few arrive twice.
import assert from "node:assert/strict";
import { join } from "node:path";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { step } from "../../../scripts/progress.mjs";
import { inFolder } from "../release/server.mjs";
import { Destination } from "./destination.mjs";
import { Node } from "./node.mjs";
import { table } from "./table.mjs";

const KILLS = 200;
const CHANGES_PER_KILL = 10;
const SEED = 20261121;
const MAX_KILL_DELAY_MS = 20;

/**
 * Runs on SQLite and PostgreSQL at the same time. Returns the text of the report.
 *
 * @param {{ webhook?: boolean, kills?: number }} options
 */
export async function kills(binary, folder, options = {}) {
  const postgres = await startPostgres();
  try {
    const [sqlite, other] = await Promise.all([
      onSqlite(binary, folder, options),
      inFolder((ownFolder) => killsOn("PostgreSQL", binary, ownFolder, postgres.url, options)),
    ]);
    const rows = sqlite.map(([name, figure], index) => [name, figure, other[index][1]]);
    return `${table(rows, "SQLite", "PostgreSQL")}
On PostgreSQL no node knows that another was killed: it takes over after 15 s without a heartbeat, so most of the backlog was delivered
after the last kill.
`;
  } finally {
    await postgres.stop();
  }
}

/** Runs on SQLite alone. Returns the rows of the report. */
export function onSqlite(binary, folder, options = {}) {
  return killsOn("SQLite", binary, folder, `sqlite:${join(folder, "flagservice.db")}`, options);
}

async function killsOn(database, binary, folder, url, { webhook = false, kills: count = KILLS }) {
  const destination = await Destination.start();
  const node = await Node.seeded(binary, folder, url, destination);
  await node.start();
  await (webhook ? node.connectWebhook(destination) : node.integrate("US"));
  const changes = new Changes(node, count * CHANGES_PER_KILL);
  const random = generator(SEED);
  await step(`${changes.total} changes, ${count} kills on ${database}`, async (note) => {
    for (let round = 1; round <= count; round += 1) {
      await changes.makeUntilKilled(round * CHANGES_PER_KILL, random() * MAX_KILL_DELAY_MS);
      await node.start();
      note(`${round} of ${count} kills, ${changes.made.size} changes`);
    }
    await changes.makeRemaining();
  });
  const arrived = await step(`backlog on ${database}`, () => destination.wait(changes.made));
  await node.stop();
  destination.close();
  return figures(changes, arrived, count, webhook ? "webhooks" : "annotations");
}

/** The changes of one run. */
class Changes {
  made = new Set();
  /** How many changes were repeated, because a kill prevented the response. */
  repeated = 0;
  #node;
  /** How many changes there are to be. */
  total;
  #next = 0;

  constructor(node, total) {
    this.#node = node;
    this.total = total;
  }

  /** Makes changes up to the number `target`, and further ones until it kills the node after a delay. */
  async makeUntilKilled(target, delayMs) {
    let running = true;
    let killing = false;
    let onReached;
    const reached = new Promise((resolve) => {
      onReached = resolve;
    });
    const checkTarget = () => {
      if (this.#next >= target || this.#next >= this.total) onReached();
    };
    const write = async () => {
      checkTarget();
      while (running && this.#next < this.total) {
        const number = this.#next;
        this.#next += 1;
        checkTarget();
        try {
          await this.#node.change(number);
        } catch (error) {
          if (!killing) throw error;
          // The change may have been made. Repeating it has the same result.
          this.repeated += 1;
          this.#next = number;
          return;
        }
        this.made.add(number);
      }
    };
    // The time of the kill is random; there is no event to wait for.
    const delay = () => new Promise((resolve) => setTimeout(resolve, delayMs));
    const writing = write();
    await Promise.race([reached.then(delay), writing.then(delay)]);
    killing = true;
    await this.#node.kill();
    running = false;
    await writing;
  }

  async makeRemaining() {
    for (; this.#next < this.total; this.#next += 1) {
      await this.#node.change(this.#next);
      this.made.add(this.#next);
    }
  }
}

/** Checks what arrived, and returns the rows of the report. */
function figures({ made, repeated }, arrived, kills, noun) {
  const counts = new Map();
  for (const number of arrived) counts.set(number, (counts.get(number) ?? 0) + 1);
  const missing = [...made].filter((number) => !counts.has(number));
  const duplicates = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
  assert.deepEqual(missing, []);
  assert.ok(duplicates <= kills, `${duplicates} ${noun} were sent twice`);
  const unique = [...new Set(arrived)];
  assert.deepEqual(
    unique,
    unique.toSorted((a, b) => a - b),
  );
  return [
    ["Changes acknowledged", made.size],
    ["Kills (`SIGKILL`), at random points", kills],
    ["Changes without a response because of a kill, and repeated", repeated],
    [`Missing ${noun}`, missing.length],
    [`${capitalised(noun)} sent twice: at most one per kill`, duplicates],
    [`${capitalised(noun)} out of order, without these`, 0],
  ];
}

function capitalised(noun) {
  return noun[0].toUpperCase() + noun.slice(1);
}

/** Random numbers from 0 to 1, the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
