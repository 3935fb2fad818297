// What the page about data says is kept in a browser, against what a browser has kept.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop } from "../support/browser/shop.mjs";
import { startService } from "../support/server/service.mjs";

const YEAR = 365 * 24 * 60 * 60;

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});
after(async () => {
  await browser?.close();
  await service?.remove();
});

/** The names in the table of what the client keeps. */
async function documentedNames() {
  const text = await readFile(join(root, "docs", "guide", "data.md"), "utf8");
  const [, section] = text.split("\n## In the browser\n");
  return Array.from(section.split("\n## ")[0].matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name);
}

test("an anonymous visitor's browser stores what the table lists, and nothing else", async () => {
  const [id, cookieName, entry] = await documentedNames();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(service.shop);
    await page.evaluate(async () => {
      const client = window.shop.client;
      await new Promise((done) => client.updateUser(undefined, done));
    });
    const kept = await page.evaluate(() => Object.keys(localStorage));
    const named = new RegExp(
      `^(${id}|${entry.replace("<client key>", service.clientKey).replace("<hash>", "[0-9a-f]{16}")})$`,
    );
    const own = kept.filter((name) => name.startsWith("flagservice"));
    assert.ok(own.includes(id) && own.length >= 2, own.join());
    for (const name of own) assert.match(name, named);
    assert.match(await page.evaluate((id) => localStorage.getItem(id), id), /^anonymous:[0-9a-f]{32}$/);
    const [cookie, ...others] = await context.cookies();
    assert.deepEqual([cookie.name, cookie.path, cookie.sameSite, others], [cookieName, "/", "Lax", []]);
    assert.ok(Math.abs(cookie.expires - Date.now() / 1000 - YEAR) < 60);
  } finally {
    await context.close();
  }
});

test("the browser stores no given user id and no attribute", async () => {
  const context = await browser.newContext();
  try {
    const page = await openShop(context, service);
    await page.evaluate(async () => {
      const user = { id: "somebody-secret", attributes: { plan: "attribute-secret" } };
      await new Promise((done) => window.shop.client.updateUser(user, done));
    });
    const kept = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), document.cookie]));
    assert.match(kept, /flagservice:v1:/);
    assert.doesNotMatch(kept, /secret/);
  } finally {
    await context.close();
  }
});

test("the last values of five users per client key are stored", async () => {
  const context = await browser.newContext();
  try {
    const page = await openShop(context, service);
    const entries = await page.evaluate(async () => {
      for (const id of ["a", "b", "c", "d", "e", "f", "g"]) {
        await new Promise((done) => window.shop.client.updateUser({ id }, done));
      }
      return Object.keys(localStorage).filter((name) => name.startsWith("flagservice:v1:")).length;
    });
    assert.equal(entries, 5);
  } finally {
    await context.close();
  }
});
