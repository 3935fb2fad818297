// Insights with the real service: pages and services report what they evaluate, and the service shows it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop } from "../support/browser/shop.mjs";
import { FlagService } from "../support/node/built-sdk.mjs";
import { withoutTimeouts } from "../support/node/mocked-timeouts.mjs";
import { startService } from "../support/server/service.mjs";

const FEATURE = "evaluated";
const POLL_MS = 50;
const INSIGHTS = `/projects/shop/features/${FEATURE}/environments/production/insights`;

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(["--insights-percent", "100"]), launchBrowser()]);
  await service.as("administrator", "POST", "/projects/shop/features", { key: FEATURE, name: "Evaluated" });
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** The evaluations of the last 24 hours by variant, once there are some of this kind of client. */
async function evaluations(kind) {
  for (;;) {
    const { hours } = await service.as("administrator", "GET", INSIGHTS);
    const found = hours.flatMap(({ evaluations }) => evaluations).filter(({ [kind]: count }) => count > 0);
    if (found.length > 0) return found;
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

test("a page that is closed is counted once, with what it has evaluated", async () => {
  const page = await openShop(await browser.newContext(), service);
  await page.evaluate(
    ([key, feature]) =>
      new Promise((resolve) => {
        window.own = window.FlagService.init(key, { id: "ada" });
        window.own.on("INIT", () => {
          for (let time = 0; time < 3; time++) window.own.evaluate(feature);
          resolve();
        });
      }),
    [service.clientKey, FEATURE],
  );
  await page.goto("about:blank");
  assert.deepEqual(await evaluations("browser"), [{ variantKey: "off", browser: 1, server: 0 }]);
});

test("a service is counted exactly", async (t) => {
  const client = FlagService.init((await service.newServerKey()).key, { baseUrl: service.base });
  await client.ready();
  for (let user = 0; user < 120; user++) client.evaluate(FEATURE, { id: `user-${user}` });
  // No feature has these keys, and a JSON parser may refuse them.
  for (const key of ["half a pair \ud83d", "\0", "k".repeat(5_000)]) client.evaluate(key);
  await withoutTimeouts(t, () => client.close());
  const [{ variantKey, server }] = await evaluations("server");
  assert.deepEqual({ variantKey, server }, { variantKey: "off", server: 120 });
});
