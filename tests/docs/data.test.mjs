// What the page about data says is kept: in a browser against what a browser has kept, on the server against its tables and settings.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { root, targetFolder } from "../../scripts/setup.mjs";
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

/** A section of the page. */
async function section(title) {
  const text = await readFile(join(root, "docs", "guide", "data.md"), "utf8");
  const [, rest] = text.split(`\n## ${title}\n`);
  return rest.split("\n## ")[0];
}

/** The names in the table of what the client keeps. */
async function documentedNames() {
  return Array.from((await section("In the browser")).matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name);
}

/** The rows of the table of what the service stores, without its head: the cells of each. */
async function storedRows() {
  const rows = (await section("What the service stores")).split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(1).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What is in backticks. */
function codes(text) {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code);
}

/** The tables that the migrations create, some of them in a form for each engine, and that of the migrations themselves. */
async function tables() {
  const folder = join(root, "crates", "server", "migrations");
  const names = ["_sqlx_migrations"];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".sql")) continue;
    const text = await readFile(join(folder, file), "utf8");
    names.push(...Array.from(text.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name));
    for (const [, gone] of text.matchAll(/DROP TABLE (\w+)/g)) names.splice(names.indexOf(gone), 1);
  }
  return [...new Set(names)].sort();
}

/** The settings of `serve` for how long data is kept, with their defaults. */
async function defaults() {
  const binary = join(await targetFolder(), "debug", "flagservice-server");
  const { stdout } = await promisify(execFile)(binary, ["serve", "--help"]);
  const found = stdout.matchAll(
    /(--[a-z-]*(?:retention-(?:days|hours)|session-hours)) [^[]*?(?:\[env[^\]]*\]\s*)?\[default: (\w+)\]/g,
  );
  return new Map(Array.from(found, ([, flag, value]) => [flag, value]));
}

test("the page has a row for each table of the database, and for no other", async () => {
  const rows = await storedRows();
  const named = rows.flatMap(([, , names]) => codes(names)).sort();
  assert.deepEqual(named, await tables());
  for (const [what, , , howLong] of rows) assert.ok(howLong !== "", `${what} has no time`);
});

test("the times on the pages are the defaults of the server", async () => {
  const known = await defaults();
  assert.equal(known.size, 7, [...known].join(" "));
  const rows = await storedRows();
  const settings = await readFile(join(root, "docs", "operation.md"), "utf8");
  for (const [flag, value] of known) {
    const [row, ...others] = rows.filter((cells) => codes(cells[3]).includes(flag));
    assert.ok(row !== undefined && others.length === 0, `one row has ${flag}`);
    assert.match(row[3], new RegExp(`^${value}${value === "forever" ? "" : " (days|hours)"}\\b`), flag);
    assert.match(settings, new RegExp(`^\\| \`${flag}\` \\| ${value} \\|`, "m"), flag);
  }
});

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
