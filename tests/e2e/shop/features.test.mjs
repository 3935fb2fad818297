// The features of the demo shop: each one changes what somebody sees.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { openShop, seeAs, seen, shows } from "../../support/browser/shop.mjs";
import { startService } from "../../support/server/service.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** The people of the shop who get something else than `off` while the feature is on: key → variant. */
async function served(people, feature) {
  await service.change(feature, { enabled: true });
  const variants = {};
  for (const [person, { user }] of Object.entries(people)) {
    if (user) variants[person] = (await service.load(user))[feature];
  }
  return Object.fromEntries(Object.entries(variants).filter(([, variant]) => variant !== "off"));
}

test("each of the twelve features changes what a user of the shop sees when it is switched, without a reload", async () => {
  const page = await openShop(await browser.newContext(), service);
  const { people, features } = await page.evaluate(() => ({
    people: window.shop.people,
    features: Object.keys(window.shop.features),
  }));
  await page.evaluate(() => {
    window.isSamePage = true;
  });
  assert.equal(features.length, 12);
  const users = new Set();
  for (const feature of features) {
    const [[person, variant] = []] = Object.entries(await served(people, feature));
    assert.ok(person, `${feature}: nobody gets it`);
    users.add(person);
    await seeAs(page, person);
    await shows(page, feature, variant);
    const on = await seen(page);
    await service.change(feature, { enabled: false });
    await shows(page, feature, "off");
    const off = await seen(page);
    assert.notEqual(off, on, `${feature}: ${person} sees no difference`);
    await service.change(feature, { enabled: true });
    await shows(page, feature, variant);
    assert.equal(await seen(page), on, feature);
  }
  assert.deepEqual([...users].sort(), ["ada", "bo", "chen"], "each of them sees something that another does not");
  assert.equal(await page.evaluate(() => window.isSamePage), true);
  assert.deepEqual(page.wrongs, []);
});

test("another user's features replace the current ones at once, and never by way of the defaults", async () => {
  const page = await openShop(await browser.newContext(), service);
  await service.change("recommendations", { enabled: true });
  await shows(page, "recommendations", "on");
  await page.evaluate(() => {
    window.shown = [];
    new MutationObserver(() => window.shown.push(document.documentElement.dataset.recommendations)).observe(
      document.documentElement,
      { attributeFilter: ["data-recommendations"] },
    );
  });
  await seeAs(page, "chen");
  await seeAs(page, "bo");
  await shows(page, "recommendations", "off");
  assert.deepEqual(await page.evaluate(() => window.shown), ["off"]);
  assert.deepEqual(page.wrongs, []);
});
