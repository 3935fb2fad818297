// A page whose client uses an edge: it cannot tell it from a server, and does not notice that the server is away.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { HANG_TIMEOUT_MS } from "../support/hang-timeout.mjs";
import { newEdgeKeys, startEdgeOf } from "../support/server/edge.mjs";
import { startService } from "../support/server/service.mjs";

const FEATURE = "new-checkout";

let service;
let edge;
let secondKey;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  const keys = await newEdgeKeys(service, ["First", "Second"]);
  edge = await startEdgeOf(service.base, keys[0]);
  secondKey = keys[1];
});

after(async () => {
  await browser?.close();
  await edge?.remove();
  await service?.remove();
});

/** Opens a page with a client that loads from this address. */
async function openPage(context, base) {
  const page = await context.newPage();
  page.wrongs = [];
  page.on("pageerror", (error) => page.wrongs.push(error.message));
  await page.goto(service.shop);
  await page.evaluate(
    ([clientKey, base]) => {
      window.changes = [];
      window.edge = FlagService.init(clientKey, { id: "ada" }, { baseUrl: base });
      window.edge.on("UPDATED_FEATURE", (features) => window.changes.push(features));
      return new Promise((resolve) => window.edge.on("LOADED", resolve));
    },
    [service.clientKey, base],
  );
  return page;
}

/** Switches the feature, and waits until the page was notified. */
async function flip(page) {
  const enabled = !(await service.read(FEATURE)).enabled;
  await service.change(FEATURE, { enabled });
  const variant = enabled ? "on" : "off";
  await page.waitForFunction(
    ([feature, variant]) => window.changes.some((features) => features[feature] === variant),
    [FEATURE, variant],
  );
  const changes = await page.evaluate(() => window.changes.splice(0));
  assert.deepEqual(changes, [{ [FEATURE]: variant }]);
}

test("changes reach a page through an edge, and through an edge of an edge, each once", async () => {
  const second = await startEdgeOf(edge.base, secondKey);
  try {
    const context = await browser.newContext();
    for (const base of [edge.base, second.base]) {
      const page = await openPage(context, base);
      for (let count = 0; count < 4; count += 1) await flip(page);
      assert.deepEqual(page.wrongs, []);
    }
  } finally {
    await second.remove();
  }
});

test("while the server is away an edge answers another user, also after kill -9, and goals are counted once afterwards", async () => {
  const page = await openPage(await browser.newContext(), edge.base);
  const expected = await service.load({ id: "bo" });
  // An edge that is ready has everything in its files. Later changes follow within a second.
  await edge.kill();
  await edge.start();
  await service.kill();
  await edge.kill();
  await edge.start({ ready: "degraded" });
  const served = await page.evaluate(
    () => new Promise((resolve) => window.edge.updateUser({ id: "bo" }, () => resolve(window.edge.evaluateAll()))),
  );
  assert.deepEqual(served, expected);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/goals"));
  await page.evaluate(() => window.edge.goal("bought"));
  assert.equal((await answered).status(), 202);
  await edge.kill();
  await service.start();
  await edge.start();
  const counted = async () => (await service.goals()).items.find(({ key }) => key === "bought")?.count;
  const deadline = Date.now() + HANG_TIMEOUT_MS;
  while ((await counted()) !== 1) {
    assert.ok(Date.now() < deadline, `${await counted()} goals`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
  await flip(page);
});
