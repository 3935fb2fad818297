// A flip reaches the open page. `npm run campaign -- flips` measures how long it takes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop, shows } from "../support/browser/shop.mjs";
import { flips } from "../support/server/flips.mjs";
import { startService } from "../support/server/service.mjs";

let service;
let browser;
let context;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  context = await browser.newContext();
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

test("each of twenty flips reaches the open page, and none is lost", async () => {
  const page = await openShop(context, service);
  const records = await flips(page, service, "new-checkout", 20);
  assert.equal(records.length, 20);
  for (const { enabled, features } of records) assert.deepEqual(features, { "new-checkout": enabled ? "on" : "off" });
  const { enabled } = await service.read("new-checkout");
  await shows(page, "new-checkout", enabled ? "on" : "off");
  assert.deepEqual(page.wrongs, []);
});

test("a change of the banner's targeting shows on the page without a reload", async () => {
  const page = await openShop(context, service);
  for (const variantKey of ["plum", "amber", "teal"]) {
    const rules = [{ name: "Everybody", splits: [{ variantKey, percentage: 100 }] }];
    await service.change("banner-color", { enabled: true, rules });
    await shows(page, "banner-color", variantKey);
  }
  assert.deepEqual(page.wrongs, []);
});

test("another person gets the values that are targeted at them", async () => {
  const page = await openShop(context, service);
  await shows(page, "express-delivery", "on");
  await shows(page, "recommendations", "on");
  await page.check("[data-person='bo']", { force: true });
  await shows(page, "express-delivery", "off");
  await shows(page, "recommendations", "off");
  assert.deepEqual(page.wrongs, []);
});

test("buying sends the goal, and the server accepts it", async () => {
  const page = await openShop(context, service);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/goals"));
  await page.locator(".checkouts [data-action='buy']:visible").click();
  const answer = await answered;
  assert.equal(answer.status(), 202);
  assert.deepEqual(await answer.json(), { accepted: 1 });
});
