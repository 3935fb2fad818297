// Changes while a destination hangs: how long they take compared with no integration, and that a healthy destination is unaffected.
import assert from "node:assert/strict";
import { join } from "node:path";
import { step } from "../../../scripts/progress.mjs";
import { percentile } from "../../support/percentile.mjs";
import { median } from "../release/server.mjs";
import { Destination } from "./destination.mjs";
import { Node } from "./node.mjs";

const PAIRS = 20;
/** The changes of each run of a pair. */
const CHANGES_PER_RUN = 200;
const HANG_MS = 30_000;
const MAX_CHANGE_MS = 5_000;

/** Alternates runs without an integration and with one whose destination hangs. Returns the text of the report. */
export async function hang(binary, folder) {
  const [hanging, healthy] = [await Destination.start(), await Destination.start()];
  hanging.hangMs = HANG_MS;
  const node = await Node.seeded(binary, folder, `sqlite:${join(folder, "flagservice.db")}`, hanging, healthy);
  await node.start();
  const changes = new TimedChanges(node);
  const runs = await measurePairs(node, changes);
  const delivered = await deliverBoth(node, changes, healthy);
  assert.ok(hanging.received.length > 0, "the hanging destination received a request");
  assert.ok(Math.max(...runs.hanging.flat()) < MAX_CHANGE_MS, "a change waited for the destination");
  await node.kill();
  hanging.close();
  healthy.close();
  return report(runs, delivered);
}

/** Makes changes one after another and measures them. */
class TimedChanges {
  next = 0;
  #node;

  constructor(node) {
    this.#node = node;
  }

  /** The milliseconds of each change of a run. */
  async run() {
    const times = [];
    for (let change = 0; change < CHANGES_PER_RUN; change += 1) {
      await this.#node.rename(this.next);
      const startedAt = performance.now();
      await this.#node.changePercentage(this.next);
      times.push(performance.now() - startedAt);
      this.next += 1;
    }
    return times;
  }
}

async function measurePairs(node, changes) {
  const runs = { none: [], again: [], hanging: [] };
  await changes.run();
  await step(`${PAIRS} pairs of runs of ${CHANGES_PER_RUN} changes`, async (note) => {
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      const withHanging = async () => {
        const id = await node.integrate("US");
        runs.hanging.push(await changes.run());
        await node.remove(id);
      };
      const withoutAgain = async () => runs.again.push(await changes.run());
      runs.none.push(await changes.run());
      // Alternate the order, so that neither always runs later.
      for (const run of pair % 2 === 0 ? [withHanging, withoutAgain] : [withoutAgain, withHanging]) await run();
      note(`${pair} of ${PAIRS}`);
    }
  });
  return runs;
}

/** Makes changes for a hanging and a healthy destination. Returns how many the healthy one received. */
async function deliverBoth(node, changes, healthy) {
  const numbers = new Set();
  await node.integrate("US");
  await node.integrate("EU");
  for (let change = 0; change < 200; change += 1) {
    await node.change(changes.next);
    numbers.add(changes.next);
    changes.next += 1;
  }
  const received = await step("a healthy destination at the same time", () => healthy.wait(numbers));
  assert.equal(received.length, numbers.size);
  return numbers.size;
}

function report(runs, delivered) {
  const row = (name, run) => {
    const times = runs[run].flat();
    return `| ${name} | ${ms(percentile(times, 0.5))} | ${ms(percentile(times, 0.99))} | ${ms(Math.max(...times))} |`;
  };
  const difference = (first, second, share) => {
    const differences = runs[first].map(
      (times, pair) => percentile(runs[second][pair], share) - percentile(times, share),
    );
    return `${ms(median(differences))} (${ms(Math.min(...differences))} to ${ms(Math.max(...differences))})`;
  };
  return `Milliseconds from the request of a change to its response.

| ${PAIRS} runs of ${CHANGES_PER_RUN} changes | p50 | p99 | longest |
|---|--:|--:|--:|
${row("no integration", "none")}
${row("a destination that does not respond for 30 s", "hanging")}
${row("no integration, again", "again")}

| Difference within a pair: median (minimum to maximum) | p50 | p99 |
|---|--:|--:|
| no integration → hanging | ${difference("none", "hanging", 0.5)} | ${difference("none", "hanging", 0.99)} |
| no integration → no integration, again | ${difference("none", "again", 0.5)} | ${difference("none", "again", 0.99)} |

Beside the one that hangs, a healthy destination got all of ${delivered} further changes.
`;
}

function ms(number) {
  return number.toFixed(1);
}
