// Annotations of flag changes: 200 kills during 2,000 changes, a destination that hangs, and two nodes on one PostgreSQL.
import assert from "node:assert/strict";
import { open, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { run, start } from "../../scripts/processes.mjs";
import { step } from "../../scripts/progress.mjs";
import { root } from "../../scripts/setup.mjs";
import { percentile } from "../support/percentile.mjs";
import { buildRelease, inFolder, median } from "./release/server.mjs";

const CHANGES = 2_000;
const KILLS = 200;
const PAIRS = 20;
/** Changes of one run of a pair. */
const PER_RUN = 200;
const SEED = 20261121;
const OUTBOUND = "/api/v1/admin/integrations/outbound";
const TARGETING = "/api/v1/projects/shop/features/reviews/environments/staging";
const PATIENCE_MS = 120_000;
const RESULT = join(root, "docs", "campaigns", "deliveries.md");

const PARTS = { kills, hang, nodes };

/**
 * `npm run campaign -- deliveries [part…]`: kills, hang, nodes; all of them unless some are named. Figures of those that ran go
 * to docs/campaigns/deliveries.md, and those of the others stay there.
 */
export async function campaign(names = []) {
  const chosen = names.length > 0 ? names : Object.keys(PARTS);
  for (const name of chosen) assert.ok(PARTS[name], `no part is called '${name}': ${Object.keys(PARTS).join(", ")}`);
  const binaries = await buildRelease();
  const before = await readFile(RESULT, "utf8").catch(() => "");
  const sections = new Map(before.split(/^(?=## )/m).map((text) => [text.match(/^## (\w+)/)?.[1], text]));
  for (const name of chosen) {
    const text = await inFolder((folder) => PARTS[name](join(binaries, "flagservice-server"), folder));
    process.stdout.write(text);
    sections.set(name, `## ${name}\n\n${text}\n`);
    const order = Object.keys(PARTS).filter((part) => sections.has(part));
    await writeFile(
      RESULT,
      `${head()}${order
        .map((part) => sections.get(part))
        .join("")
        .trimEnd()}\n`,
    );
  }
}

function head() {
  return `# Annotations of flag changes

\`npm run campaign -- deliveries [kills|hang|nodes]\`: release build, loopback, ${cpus().length} cores of ${cpus()[0].model.trim()}, which
other work may share.

`;
}

/** Kills the server at random while changes are made: every change's annotation arrives, in order, and few come twice. */
async function kills(binary, folder) {
  const postgres = await startPostgres();
  try {
    const [sqlite, other] = await Promise.all([
      killsOn("SQLite", binary, folder, `sqlite:${join(folder, "flagservice.db")}`),
      inFolder((own) => killsOn("PostgreSQL", binary, own, postgres.url)),
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
  const random = generator(SEED);
  const made = new Set();
  let under = 0;
  await step(`${CHANGES} changes, ${KILLS} kills on ${database}`, async (note) => {
    const gap = CHANGES / KILLS;
    let next = 0;
    for (let round = 1; round <= KILLS; round += 1) {
      let running = true;
      let killing = false;
      let reach;
      const reached = new Promise((resolve) => {
        reach = resolve;
      });
      const isDue = () => next >= round * gap || next >= CHANGES;
      if (isDue()) reach();
      const writer = async () => {
        // As many as the round is due, then on until the kill comes.
        while (running && next < CHANGES) {
          const number = next;
          next += 1;
          if (isDue()) reach();
          try {
            await node.change(number);
          } catch (error) {
            if (!killing) throw error;
            // It may have been made without an answer: asked for again, it is the same.
            under += 1;
            next = number;
            return;
          }
          made.add(number);
        }
      };
      const writing = writer();
      const due = async () => {
        await reached;
        // When it is killed is what chance decides; there is no event to wait for.
        await pause(random() * 20);
      };
      await Promise.race([due(), writing.then(due)]);
      killing = true;
      await node.kill();
      running = false;
      await writing;
      await node.start();
      note(`${round} of ${KILLS} kills, ${made.size} changes`);
    }
    while (next < CHANGES) {
      await node.change(next);
      made.add(next);
      next += 1;
    }
  });
  const arrived = await step(`what waits on ${database}`, () => destination.wait(made));
  const counts = new Map();
  for (const number of arrived) counts.set(number, (counts.get(number) ?? 0) + 1);
  const missing = [...made].filter((number) => !counts.has(number));
  const again = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
  assert.deepEqual(missing, []);
  assert.ok(again <= KILLS, `${again} came again`);
  const first = [...new Set(arrived)];
  assert.deepEqual(
    first,
    first.toSorted((one, other) => one - other),
  );
  await node.stop();
  destination.close();
  return [
    ["Changes acknowledged", made.size],
    ["Kills (`SIGKILL`), at random points", KILLS],
    ["Changes without a response because of a kill, and repeated", under],
    ["Missing annotations", missing.length],
    ["Annotations sent twice: at most one per kill", again],
    ["Annotations out of order, without these", 0],
  ];
}

/** Runs of changes with no integration and with one whose destination hangs, interleaved, and a healthy one beside it. */
async function hang(binary, folder) {
  const [slow, healthy] = [await Destination.start(), await Destination.start()];
  slow.hangMs = 30_000;
  const node = await Node.seeded(binary, folder, `sqlite:${join(folder, "flagservice.db")}`, slow, healthy);
  await node.start();
  let number = 0;
  const measure = async () => {
    const times = [];
    for (let change = 0; change < PER_RUN; change += 1) {
      await node.rename(number);
      const began = performance.now();
      await node.roll(number);
      times.push(performance.now() - began);
      number += 1;
    }
    return times;
  };
  const runs = { none: [], again: [], hanging: [] };
  await measure();
  await step(`${PAIRS} pairs of runs of ${PER_RUN} changes`, async (note) => {
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      const hanging = async () => {
        const id = await node.integrate("US");
        runs.hanging.push(await measure());
        await node.remove(id);
      };
      const again = async () => runs.again.push(await measure());
      runs.none.push(await measure());
      // By turns, so that neither always comes later than the other.
      for (const run of pair % 2 === 0 ? [hanging, again] : [again, hanging]) await run();
      note(`${pair} of ${PAIRS}`);
    }
  });
  const numbers = new Set();
  await node.integrate("US");
  await node.integrate("EU");
  for (let change = 0; change < 200; change += 1) {
    await node.change(number);
    numbers.add(number);
    number += 1;
  }
  const beside = await step("a healthy destination beside it", () => healthy.wait(numbers));
  assert.equal(beside.length, numbers.size);
  assert.ok(slow.received.length > 0, "the hanging destination was asked");
  const all = Object.fromEntries(Object.entries(runs).map(([name, times]) => [name, times.flat()]));
  assert.ok(Math.max(...all.hanging) < 5_000, "a change waited for the destination");
  await node.kill();
  slow.close();
  healthy.close();
  const row = (name, times) =>
    `| ${name} | ${ms(percentile(times, 0.5))} | ${ms(percentile(times, 0.99))} | ${ms(Math.max(...times))} |\n`;
  const difference = (one, other, part) => {
    const differences = runs[one].map((times, pair) => percentile(runs[other][pair], part) - percentile(times, part));
    return `${ms(median(differences))} (${ms(Math.min(...differences))} to ${ms(Math.max(...differences))})`;
  };
  return `Milliseconds from the request of a change to its response.

| ${PAIRS} runs of ${PER_RUN} changes | p50 | p99 | longest |
|---|--:|--:|--:|
${row("no integration", all.none)}${row("a destination that does not respond for 30 s", all.hanging)}${row("no integration, again", all.again)}
| Difference within a pair: median (minimum to maximum) | p50 | p99 |
|---|--:|--:|
| no integration → hanging | ${difference("none", "hanging", 0.5)} | ${difference("none", "hanging", 0.99)} |
| no integration → no integration, again | ${difference("none", "again", 0.5)} | ${difference("none", "again", 0.99)} |

Beside the one that hangs, a healthy destination got all of ${numbers.size} further changes.
`;
}

/** Two nodes on one PostgreSQL: each change once, in order. */
async function nodes(binary, folder) {
  const destination = await Destination.start();
  const postgres = await startPostgres();
  try {
    const one = await Node.seeded(binary, folder, postgres.url, destination);
    const other = await one.sibling();
    await one.start();
    await other.start();
    await one.integrate("US");
    const made = new Set();
    const began = performance.now();
    await step(`${CHANGES} changes on two nodes`, async (note) => {
      for (let number = 0; number < CHANGES; number += 1) {
        await (number % 2 === 0 ? one : other).change(number);
        made.add(number);
        if (number % 100 === 0) note(`${number} of ${CHANGES}`);
      }
    });
    const changed = performance.now() - began;
    const arrived = await destination.wait(made);
    const took = performance.now() - began;
    assert.deepEqual(arrived, [...made]);
    await Promise.all([one.stop(), other.stop()]);
    destination.close();
    return table([
      ["Changes, alternating between two nodes", CHANGES],
      ["Annotations received", arrived.length],
      ["… received twice", arrived.length - new Set(arrived).size],
      ["… out of order", 0],
      ["From the first change to the last response", `${(changed / 1000).toFixed(1)} s`],
      ["From the first change to the last annotation", `${(took / 1000).toFixed(1)} s`],
    ]);
  } finally {
    await postgres.stop();
  }
}

/** A destination that keeps the numbers of the changes that it was told of. */
class Destination {
  received = [];
  hangMs = 0;
  #server;
  #watchers = new Set();

  static async start() {
    const destination = new Destination();
    destination.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        const number = Number(JSON.parse(body).details.match(/^Feature: Reviews (\d+) /)[1]);
        destination.received.push(number);
        for (const watcher of destination.#watchers) watcher();
        const answer = () => response.end("{}");
        if (destination.hangMs > 0) setTimeout(answer, destination.hangMs).unref();
        else answer();
      });
    });
    await new Promise((listening) => destination.#server.listen(0, "127.0.0.1", listening));
    destination.address = `http://127.0.0.1:${destination.#server.address().port}`;
    return destination;
  }

  /** All numbers that came, once all of these have. */
  wait(numbers) {
    return new Promise((resolve, reject) => {
      const missing = new Set(numbers);
      let seen = 0;
      const late = () => reject(new Error(`${missing.size} annotations did not arrive: ${[...missing].slice(0, 10)}`));
      const timer = setTimeout(late, PATIENCE_MS);
      const look = () => {
        for (; seen < this.received.length; seen += 1) missing.delete(this.received[seen]);
        if (missing.size > 0) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve([...this.received]);
      };
      this.#watchers.add(look);
      look();
    });
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A server on a database with the demo's data. */
class Node {
  #binary;
  #folder;
  #database;
  #token;
  #destinations;
  #port;
  #process;

  static async seeded(binary, folder, url, us, eu = us) {
    const node = new Node();
    node.#binary = binary;
    node.#folder = folder;
    node.#destinations = ["--analytics-us-url", us.address, "--analytics-eu-url", eu.address];
    node.#database = ["--database-url", url, "--key-file", join(folder, "master.key")];
    const file = join(folder, "demo.json");
    await run(binary, ["seed", "demo", "--write", file, ...node.#database]);
    node.#token = JSON.parse(await readFile(file, "utf8")).tokens.administrator.token;
    node.#port = await freePort();
    return node;
  }

  /** Another node on the same database. */
  async sibling() {
    const node = new Node();
    node.#binary = this.#binary;
    node.#folder = this.#folder;
    node.#database = this.#database;
    node.#token = this.#token;
    node.#destinations = this.#destinations;
    node.#port = await freePort();
    return node;
  }

  async start() {
    const log = await open(join(this.#folder, `server-${this.#port}.log`), "a");
    const options = ["serve", "--listen", `127.0.0.1:${this.#port}`, ...this.#destinations, ...this.#database];
    this.#process = start(this.#binary, options, { stdio: ["ignore", log.fd, log.fd], env: { RUST_LOG: "warn" } });
    await log.close();
    const began = performance.now();
    while (!(await this.#isReady())) {
      assert.ok(performance.now() - began < PATIENCE_MS, "the server did not become ready");
      await pause(5);
    }
  }

  async #isReady() {
    try {
      return (await fetch(`http://127.0.0.1:${this.#port}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }

  kill() {
    return this.#process.stop("SIGKILL");
  }

  stop() {
    return this.#process.stop();
  }

  async #ask(method, path, body) {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1:${this.#port}${path}`;
    const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Makes an integration in that region, and returns its id. */
  async integrate(region) {
    const analytics = { apiKey: "key", secretKey: "secret", region };
    const { id } = await this.#ask("POST", OUTBOUND, {
      type: "analytics",
      enabled: true,
      configuration: { analytics },
    });
    return id;
  }

  remove(id) {
    return this.#ask("DELETE", `${OUTBOUND}/${id}`);
  }

  /** Makes the change of that number: the annotation names it in the feature's name. */
  async change(number) {
    await this.rename(number);
    await this.roll(number);
  }

  /** Tells nobody anything. */
  async rename(number) {
    await this.#ask("PATCH", "/api/v1/projects/shop/features/reviews", { name: `Reviews ${number}` });
  }

  async roll(number) {
    const on = (number % 1000) / 10;
    const splits = [
      { variantKey: "on", percentage: on },
      { variantKey: "off", percentage: Math.round((100 - on) * 10) / 10 },
    ];
    await this.#ask("PUT", TARGETING, { enabled: true, offVariantKey: "off", rules: [{ name: "All", splits }] });
  }
}

/** Random numbers from 0 to 1, the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pause(milliseconds) {
  return new Promise((wake) => setTimeout(wake, milliseconds));
}

function ms(number) {
  return number.toFixed(1);
}

function table(rows, ...columns) {
  const [, ...figures] = rows[0];
  const head = `| | ${figures.map((_, index) => columns[index] ?? "").join(" | ")} |\n|---|${"--:|".repeat(figures.length)}\n`;
  return head + rows.map((row) => `| ${row.join(" | ")} |\n`).join("");
}
