// OpenFeature's own OFREP provider for pages, unmodified, in Chromium, with the real service at another origin.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addPage, openPage } from "../../tests/support/browser/openfeature.mjs";
import { launchBrowser } from "../../tests/support/browser/shared-browser.mjs";
import { startService } from "../../tests/support/server/service.mjs";

const ON = { enabled: true, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] };

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  await addPage(service);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** The service at another origin than the pages, so that each request with a credential needs a preflight. */
const otherOrigin = ({ port }) => `http://localhost:${port}`;

/** A page with the provider. `page.statuses` collects the statuses of its evaluation requests. */
async function start({ options = {}, key = service.clientKey, at = service } = {}) {
  const page = await openPage(browser, service);
  page.statuses = [];
  page.on("response", (response) => {
    const isEvaluation = response.url().includes("/ofrep/v1/") && response.request().method() === "POST";
    if (isEvaluation) page.statuses.push(response.status());
  });
  page.status = await page.evaluate(
    ([baseUrl, key, options]) =>
      provide(new OFREPWebProvider({ baseUrl, headers: [["Authorization", `Bearer ${key}`]], ...options })),
    [otherOrigin(at), key, options],
  );
  return page;
}

test("features resolve by type; a missing feature or a wrong type gives the default and an error code", async () => {
  const page = await start();
  assert.equal(page.status, "READY");
  const answers = await page.evaluate(() => [
    resolved("Boolean", "search-suggestions", false),
    resolved("Boolean", "express-delivery", true),
    resolved("String", "banner-color", "none"),
    resolved("Boolean", "banner-color", true),
    resolved("String", "search-suggestions", "none"),
    resolved("Number", "search-suggestions", 7),
    resolved("Object", "search-suggestions", { own: 1 }),
    resolved("Boolean", "nobody", true),
  ]);
  assert.deepEqual(answers, [
    [true, "on"],
    [false, "off"],
    ["plum", "plum"],
    [true, "TYPE_MISMATCH"],
    ["none", "TYPE_MISMATCH"],
    [7, "TYPE_MISMATCH"],
    [{ own: 1 }, "TYPE_MISMATCH"],
    [true, "FLAG_NOT_FOUND"],
  ]);
  assert.deepEqual(page.wrongs, []);
});

test("a new context is evaluated", async () => {
  const page = await start({ options: { cacheMode: "disabled" } });
  const values = await page.evaluate(async () => {
    const values = [];
    for (const country of ["SE", "ES", "SE"]) {
      await Web.OpenFeature.setContext({ targetingKey: "alice", country });
      values.push(client.getBooleanValue("express-delivery", false));
    }
    return values;
  });
  assert.deepEqual(values, [true, false, true]);
});

test("a context without a targeting key is rejected", async () => {
  const page = await openPage(browser, service);
  const status = await page.evaluate(
    ([baseUrl, key]) =>
      provide(new OFREPWebProvider({ baseUrl, headers: [["X-API-Key", key]], cacheMode: "disabled" }), {}),
    [otherOrigin(service), service.clientKey],
  );
  assert.equal(status, "ERROR");
});

test("its event stream announces changes and nothing else", async () => {
  const page = await start();
  await service.change("new-checkout", ON);
  await page.waitForFunction(() => client.getBooleanValue("new-checkout", false));
  await service.change("new-checkout", { enabled: false });
  await page.waitForFunction(() => !client.getBooleanValue("new-checkout", true));
  // The stream may have opened after the first change, and then announces it at once.
  assert.deepEqual(page.statuses, [200, 200, 200]);
  assert.deepEqual(await page.evaluate(() => [...new Set(changed)]), ["new-checkout"]);
});

test("a rejected event stream, as after an expired token, makes it load again and open another stream", async () => {
  const page = await openPage(browser, service);
  const opened = [];
  page.on("response", (response) => response.url().includes("/changes?") && opened.push(response.status()));
  await page.route(
    (url) => url.pathname.endsWith("/changes"),
    (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set("token", "expired");
      return route.continue({ url: url.href });
    },
    { times: 1 },
  );
  const again = page.waitForResponse((response) => response.status() === 304);
  await page.evaluate(
    ([baseUrl, key]) => provide(new OFREPWebProvider({ baseUrl, headers: [["Authorization", `Bearer ${key}`]] })),
    [otherOrigin(service), service.clientKey],
  );
  await again;
  await service.change("new-checkout", ON);
  await page.waitForFunction(() => client.getBooleanValue("new-checkout", false));
  assert.deepEqual(opened, [401, 200]);
  await service.change("new-checkout", { enabled: false });
});

test("with polling it gets 304 until something changes", async () => {
  const page = await start({ options: { changeDetection: "polling", pollInterval: 100 } });
  const polled = () => page.waitForResponse((response) => response.status() === 304);
  await polled();
  assert.deepEqual([...new Set(page.statuses)], [200, 304]);
  const unchanged = page.statuses.length;
  await service.change("new-checkout", ON);
  await page.waitForFunction(() => client.getBooleanValue("new-checkout", false));
  await polled();
  assert.equal(page.statuses.slice(unchanged).filter((status) => status === 200).length, 1);
  await service.change("new-checkout", { enabled: false });
  await page.waitForFunction(() => !client.getBooleanValue("new-checkout", true));
});

test("a reloaded page sends its stored ETag and gets 304", async () => {
  const page = await start();
  assert.deepEqual(page.statuses, [200]);
  const unchanged = page.waitForResponse((response) => response.status() === 304);
  const options = [otherOrigin(service), service.clientKey];
  await page.evaluate(
    ([baseUrl, key]) => provide(new OFREPWebProvider({ baseUrl, headers: [["Authorization", `Bearer ${key}`]] })),
    options,
  );
  await unchanged;
  assert.equal(await page.evaluate(() => client.getBooleanValue("search-suggestions", false)), true);
});

test("an invalid key is a fatal error with status 401", async () => {
  const page = await start({ key: "js-nobody" });
  assert.deepEqual([page.status, page.statuses], ["FATAL", [401]]);
  assert.equal(await page.evaluate(() => client.getBooleanValue("search-suggestions", false)), false);
});

test("after status 429 it sends no request before Retry-After", async (t) => {
  const strict = await startService(["--requests-per-second", "1"]);
  t.after(() => strict.remove());
  const options = { changeDetection: "polling", pollInterval: 20, cacheMode: "disabled" };
  const page = await start({ at: strict, key: strict.clientKey, options });
  const refused = await page.waitForResponse((response) => response.status() === 429);
  // Across origins a page can read only headers that CORS exposes.
  assert.match(refused.headers()["retry-after"], /^\d+$/);
  await page.waitForProviderEvent("PROVIDER_STALE");
  // Without the header it would poll again after 20 ms. The times are the browser's.
  const { startTime, responseStart } = refused.request().timing();
  const later = (request) => request.method() === "POST" && request.timing().startTime > startTime;
  const next = await page.waitForEvent("requestfinished", later);
  const waited = next.timing().startTime - (startTime + responseStart);
  assert.ok(waited >= Number(refused.headers()["retry-after"]) * 1000 - 50, `${waited} ms`);
  assert.equal(await page.evaluate(() => client.getBooleanValue("search-suggestions", false)), true);
});

test("no URL and no log line contains user data", async () => {
  const page = await openPage(browser, service);
  const addresses = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.evaluate(
    ([baseUrl, key]) =>
      provide(new OFREPWebProvider({ baseUrl, headers: [["Authorization", `Bearer ${key}`]] }), {
        targetingKey: "canary-id-4711",
        email: "canary-mail-4711",
      }),
    [otherOrigin(service), service.clientKey],
  );
  await service.change("new-checkout", ON);
  await page.waitForFunction(() => client.getBooleanValue("new-checkout", false));
  await service.change("new-checkout", { enabled: false });
  assert.ok(addresses.some((address) => address.includes("/changes?token=")));
  for (const text of [...addresses, await service.log()]) assert.equal(text.includes("canary"), false);
});
