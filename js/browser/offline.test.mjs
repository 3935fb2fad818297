// offline: only defaultFeatures are used.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

test("an offline client answers only from defaultFeatures, without requests, cookies or storage", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    localStorage.setItem("flagservice-anonymous-id", "anonymous:0123456789abcdef0123456789abcdef");
    const config = { offline: true, defaultFeatures: { a: "def" }, bootstrap: { a: "boot", b: "boot" } };
    const client = start(undefined, config);
    const firstAnswers = [
      client.evaluate("a").value(),
      client.evaluate("b").value(),
      client.hasReceivedInitialResponse(),
    ];
    await until("LOADED");
    client.goal("purchase");
    const { id } = client.getUser();
    return [
      log,
      firstAnswers,
      client.hasReceivedInitialResponse(),
      client.getFeatures(),
      id,
      { ...localStorage },
      document.cookie,
    ];
  });
  const [log, firstAnswers, received, features, id, storage, cookie] = seen;
  assert.deepEqual(log, ["returned", ["INIT", { a: "def" }], ["LOADED", { a: "def" }]]);
  assert.deepEqual(firstAnswers, ["def", "off", false]);
  assert.equal(received, true);
  assert.deepEqual(features, { a: "def" });
  assert.match(id, /^anonymous:(?!0123)[0-9a-f]{32}$/);
  assert.deepEqual(storage, { "flagservice-anonymous-id": "anonymous:0123456789abcdef0123456789abcdef" });
  assert.equal(cookie, "");
  assert.deepEqual(service.requests, []);
});

test("an offline client does not read the cache", async () => {
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
