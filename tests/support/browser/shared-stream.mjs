// Tabs that share a stream lose the tab that holds it, while a feature changes.
import assert from "node:assert/strict";
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";
import { openShop, shows } from "./shop.mjs";

const POLL_MS = 10;

/**
 * Opens tabs of the demo shop in one browser. In each round it kills the process of the oldest tab, which holds the stream, changes a
 * feature at once, and opens another tab. Returns for each round the milliseconds from the REST response until each remaining tab told
 * the change, and fails if a tab tells anything else.
 */
export async function killHolders(context, service, { tabs: count, rounds }) {
  const tabs = [];
  for (let number = 0; number < count; number += 1) tabs.push(await openTab(context, service));
  const records = [];
  let { enabled } = await service.read("new-checkout");
  for (let round = 0; round < rounds; round += 1) {
    await hasOneStream(service);
    const holder = tabs.shift();
    await crash(holder);
    enabled = !enabled;
    await service.change("new-checkout", { enabled });
    const changedAt = Date.now();
    const variant = enabled ? "on" : "off";
    await Promise.all(tabs.map((tab) => shows(tab, "new-checkout", variant)));
    const told = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.told.splice(0))));
    for (const updates of told) {
      assert.deepEqual(
        updates.map(({ features }) => features),
        [{ "new-checkout": variant }],
      );
    }
    records.push(told.map(([{ at }]) => at - changedAt));
    await holder.close();
    tabs.push(await openTab(context, service));
  }
  await hasOneStream(service);
  for (const tab of tabs) assert.deepEqual(tab.wrongs, []);
  return records;
}

async function openTab(context, service) {
  const tab = await openShop(context, service);
  await tab.evaluate(() => {
    window.told = [];
    window.shop.client.on("UPDATED_FEATURE", (features) => window.told.push({ features, at: Date.now() }));
  });
  return tab;
}

/** Kills the process of a tab. */
async function crash(tab) {
  const session = await tab.context().newCDPSession(tab);
  const crashed = tab.waitForEvent("crash");
  session.send("Page.crash").catch(() => {
    // The process that would answer is gone.
  });
  await crashed;
}

/** Waits until the server has exactly one open stream: it may not have noticed yet that a tab is gone. */
async function hasOneStream(service) {
  const deadline = Date.now() + HANG_TIMEOUT_MS;
  for (;;) {
    const streams = await service.openStreams();
    if (streams === 1) return;
    assert.ok(Date.now() < deadline, `${streams} open streams`);
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}
