// 200 kills of the server during 2,000 changes: each change's annotation arrives, in order, and few arrive twice.
import assert from "node:assert/strict";
import { join } from "node:path";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { step } from "../../../scripts/progress.mjs";
import { inFolder } from "../release/server.mjs";
import { Destination } from "./destination.mjs";
import { Node } from "./node.mjs";
import { table } from "./table.mjs";

const CHANGES = 2_000;
const KILLS = 200;
const SEED = 20261121;
const MAX_KILL_DELAY_MS = 20;

/** Runs on SQLite and PostgreSQL at the same time. Returns the text of the report. */
export async function kills(binary, folder) {
  const postgres = await startPostgres();
  try {
    const [sqlite, other] = await Promise.all([
      killsOn("SQLite", binary, folder, `sqlite:${join(folder, "flagservice.db")}`),
      inFolder((ownFolder) => killsOn("PostgreSQL", binary, ownFolder, postgres.url)),
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

async function killsOn(database, binary, folder, url) {
  const destination = await Destination.start();
  const node = await Node.seeded(binary, folder, url, destination);
  await node.start();
  await node.integrate("US");
  const changes = new Changes(node);
  const random = generator(SEED);
  await step(`${CHANGES} changes, ${KILLS} kills on ${database}`, async (note) => {
    for (let round = 1; round <= KILLS; round += 1) {
      await changes.makeUntilKilled((round * CHANGES) / KILLS, random() * MAX_KILL_DELAY_MS);
      await node.start();
      note(`${round} of ${KILLS} kills, ${changes.made.size} changes`);
    }
    await changes.makeRemaining();
  });
  const arrived = await step(`backlog on ${database}`, () => destination.wait(changes.made));
  await node.stop();
  destination.close();
  return figures(changes, arrived);
}

/** The changes of one run. */
class Changes {
  made = new Set();
  /** How many changes were repeated, because a kill prevented the response. */
  repeated = 0;
  #node;
  #next = 0;

  constructor(node) {
    this.#node = node;
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
      if (this.#next >= target || this.#next >= CHANGES) onReached();
    };
    const write = async () => {
      checkTarget();
      while (running && this.#next < CHANGES) {
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
    for (; this.#next < CHANGES; this.#next += 1) {
      await this.#node.change(this.#next);
      this.made.add(this.#next);
    }
  }
}

/** Checks the annotations that arrived, and returns the rows of the report. */
function figures({ made, repeated }, arrived) {
  const counts = new Map();
  for (const number of arrived) counts.set(number, (counts.get(number) ?? 0) + 1);
  const missing = [...made].filter((number) => !counts.has(number));
  const duplicates = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
  assert.deepEqual(missing, []);
  assert.ok(duplicates <= KILLS, `${duplicates} annotations were sent twice`);
  const unique = [...new Set(arrived)];
  assert.deepEqual(
    unique,
    unique.toSorted((a, b) => a - b),
  );
  return [
    ["Changes acknowledged", made.size],
    ["Kills (`SIGKILL`), at random points", KILLS],
    ["Changes without a response because of a kill, and repeated", repeated],
    ["Missing annotations", missing.length],
    ["Annotations sent twice: at most one per kill", duplicates],
    ["Annotations out of order, without these", 0],
  ];
}

/** Random numbers from 0 to 1, the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
