// The server is killed while the page is open.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop, shows } from "../support/browser/shop.mjs";
import { startService } from "../support/server/service.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

test("after kill -9 and a change right after the restart, the page recovers by itself and ends with the server's values", async () => {
  const page = await openShop(await browser.newContext(), service);
  for (const enabled of [true, false, true]) {
    await service.change("new-checkout", { enabled });
    await service.kill();
    // The page may not have received the change. It was acknowledged, so the server must keep it.
    await service.start();
    assert.equal((await service.read("new-checkout")).enabled, enabled);
    await service.change("winter-sale", { enabled, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] });
    await shows(page, "winter-sale", enabled ? "on" : "off");
    await shows(page, "new-checkout", enabled ? "on" : "off");
  }
  const served = await page.evaluate(async (path) => {
    const user = window.shop.client.getUser();
    return (await (await fetch(path, { method: "POST", body: JSON.stringify({ user }) })).json()).features;
  }, `/client/v1/${service.clientKey}/load`);
  assert.deepEqual(await page.evaluate(() => window.shop.client.getFeatures()), served);
  assert.deepEqual(page.wrongs, []);
});

test("a page that is opened while the server is down shows the values of the last visit", async () => {
  const context = await browser.newContext();
  await service.change("new-checkout", { enabled: true });
  const page = await openShop(context, service);
  await shows(page, "new-checkout", "on");
  // In real life the shop's pages come from another server, so they stay available here.
  await page.route("**/client/v1/**", (route) => route.abort("connectionrefused"));
  await page.reload();
  await page.waitForSelector("[data-event='ERROR']");
  await shows(page, "new-checkout", "on");
  assert.deepEqual(page.wrongs, []);
});
