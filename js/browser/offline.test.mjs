// offline: defaultFeatures alone, and nothing else is touched.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

test("offline answers from defaultFeatures alone: no call, no cookie, no storage", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    localStorage.setItem("flagservice-anonymous-id", "anonymous:0123456789abcdef0123456789abcdef");
    const config = { offline: true, defaultFeatures: { a: "def" }, bootstrap: { a: "boot", b: "boot" } };
    const client = start(undefined, config);
    const same = [client.evaluate("a").value(), client.evaluate("b").value(), client.hasReceivedInitialResponse()];
    await until("LOADED");
    client.goal("purchase");
    const { id } = client.getUser();
    return [
      log,
      same,
      client.hasReceivedInitialResponse(),
      client.getFeatures(),
      id,
      { ...localStorage },
      document.cookie,
    ];
  });
  const [log, same, received, features, id, storage, cookie] = seen;
  assert.deepEqual(log, ["returned", ["INIT", { a: "def" }], ["LOADED", { a: "def" }]]);
  assert.deepEqual(same, ["def", "off", false]);
  assert.equal(received, true);
  assert.deepEqual(features, { a: "def" });
  assert.match(id, /^anonymous:(?!0123)[0-9a-f]{32}$/);
  assert.deepEqual(storage, { "flagservice-anonymous-id": "anonymous:0123456789abcdef0123456789abcdef" });
  assert.equal(cookie, "");
  assert.deepEqual(service.requests, []);
});

test("offline does not read a cache entry", async () => {
  const page = await browser.open(service);
  const values = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    client.close();
    const cached = FlagService.init("js-key", { id: "alice" }).evaluate("a").value();
    start({ id: "alice" }, { offline: true });
    return [cached, client.evaluate("a").value(), client.getFeatures()];
  });
  assert.deepEqual(values, ["on", "off", {}]);
});
