// Data that identifies a user is in request bodies only.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { openShop, shows } from "../support/browser/shop.mjs";
import { startService } from "../support/server/service.mjs";

const ID = "canary-id-7f3a9c51e2";
const ATTRIBUTE = "canary-attribute-d84b06";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** The forms in which a marker could appear in a text. */
function forms(marker) {
  const bytes = Buffer.from(marker);
  // The base64 of the marker depends on its offset modulo 3.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [marker, bytes.toString("hex"), [...marker].reverse().join(""), ...base64].map((form) => form.toLowerCase());
}

function assertUnmarked(texts, what) {
  for (const text of texts) {
    for (const form of [ID, ATTRIBUTE].flatMap(forms)) {
      assert.ok(!text.toLowerCase().includes(form), `${what} contains a marker: ${text.slice(0, 400)}`);
    }
  }
}

/** In a page, before its scripts: makes every client start as this user. */
function initAs({ id, note }) {
  let service;
  Object.defineProperty(window, "FlagService", {
    configurable: true,
    get: () => service,
    set: (real) => {
      service = { ...real, init: (key) => real.init(key, { id, attributes: { note } }) };
    },
  });
}

test("no URL, server log line, cookie or storage entry contains a user's id or attribute", async () => {
  const context = await browser.newContext();
  const page = await openShop(context, service);
  const requests = [];
  page.on("request", (request) => requests.push(request));
  const loaded = page.evaluate(
    ({ id, note }) => new Promise((resolve) => window.shop.client.updateUser({ id, attributes: { note } }, resolve)),
    { id: ID, note: ATTRIBUTE },
  );
  await loaded;
  await service.change("new-checkout", { enabled: true });
  await shows(page, "new-checkout", "on");
  const goal = page.waitForResponse((response) => response.url().endsWith("/goals"));
  await page.locator(".checkouts [data-action='buy']:visible").click();
  await goal;
  // Now a page that starts as this user, from its cache.
  await page.addInitScript(initAs, { id: ID, note: ATTRIBUTE });
  await page.reload();
  await page.waitForSelector("[data-event='LOADED_FROM_CACHE']");
  await page.waitForSelector("[data-event='INIT']");
  assert.equal(await page.evaluate(() => window.shop.client.getUser().id), ID);

  const bodies = requests.map((request) => request.postData() ?? "");
  assert.ok(
    bodies.some((body) => body.includes(ID) && body.includes(ATTRIBUTE)),
    "the marked user was never loaded",
  );
  assert.ok(
    requests.some((request) => request.url().includes("/stream?")),
    "no stream was recorded",
  );
  assertUnmarked(
    requests.map((request) => decodeURIComponent(request.url())),
    "A URL",
  );
  assertUnmarked(
    requests.map((request) => request.headers().referer ?? ""),
    "A referrer",
  );

  const stored = await page.evaluate(() => [...Object.entries(localStorage), ...Object.entries(sessionStorage)].flat());
  assert.ok(stored.length > 0, "nothing was stored");
  assertUnmarked(stored, "A storage entry");
  assert.deepEqual(await page.evaluate(async () => (await indexedDB.databases()).length), 0);
  assertUnmarked(
    (await context.cookies()).flatMap(({ name, value }) => [name, decodeURIComponent(value)]),
    "A cookie",
  );

  const log = await service.log();
  assert.ok(log.includes("/load"), "the server logged no load");
  assertUnmarked(log.split("\n"), "A server log line");
});
