// Two nodes on one PostgreSQL: each change is announced once, in order.
import assert from "node:assert/strict";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { step } from "../../../scripts/progress.mjs";
import { Destination } from "./destination.mjs";
import { Node } from "./node.mjs";
import { table } from "./table.mjs";

const CHANGES = 2_000;

/** Makes changes on both nodes alternately. Returns the text of the report. */
export async function nodes(binary, folder) {
  const destination = await Destination.start();
  const postgres = await startPostgres();
  try {
    const first = await Node.seeded(binary, folder, postgres.url, destination);
    const second = await first.sibling();
    await first.start();
    await second.start();
    await first.integrate("US");
    const made = new Set();
    const startedAt = performance.now();
    await step(`${CHANGES} changes on two nodes`, async (note) => {
      for (let number = 0; number < CHANGES; number += 1) {
        await (number % 2 === 0 ? first : second).change(number);
        made.add(number);
        if (number % 100 === 0) note(`${number} of ${CHANGES}`);
      }
    });
    const changedMs = performance.now() - startedAt;
    const arrived = await destination.wait(made);
    const arrivedMs = performance.now() - startedAt;
    assert.deepEqual(arrived, [...made]);
    await Promise.all([first.stop(), second.stop()]);
    destination.close();
    return table([
      ["Changes, alternating between two nodes", CHANGES],
      ["Annotations received", arrived.length],
      ["… received twice", arrived.length - new Set(arrived).size],
      ["… out of order", 0],
      ["From the first change to the last response", `${(changedMs / 1000).toFixed(1)} s`],
      ["From the first change to the last annotation", `${(arrivedMs / 1000).toFixed(1)} s`],
    ]);
  } finally {
    await postgres.stop();
  }
}
