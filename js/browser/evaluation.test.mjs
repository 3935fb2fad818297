// Evaluations: their values, the maps of all features, and that they need no requests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

test("an evaluation has is, isOn, isOff and value, and later changes do not affect it", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    window.before = client.evaluate("a");
  });
  await service.waitForStreams(1);
  service.change({ a: "Blue" });
  await page.waitForFunction(() => log.some(([name]) => name === "UPDATED_FEATURE"));
  const read = await page.evaluate(() => {
    const read = (evaluation) => [
      evaluation.value(),
      evaluation.isOn(),
      evaluation.isOff(),
      evaluation.is("Blue"),
      evaluation.is("blue"),
      Object.isFrozen(evaluation),
    ];
    return [read(before), read(client.evaluate("a")), read(client.evaluate("unknown"))];
  });
  assert.deepEqual(read, [
    ["on", true, false, false, false, true],
    ["Blue", false, false, true, false, true],
    ["off", false, true, false, false, true],
  ]);
});

test("keys such as __proto__ and constructor work like any other", async () => {
  service.features = Object.fromEntries([
    ["__proto__", "on"],
    ["constructor", "blue"],
    ["7", "on"],
    ["café", "ü"],
  ]);
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    const defaultFeatures = JSON.parse('{"__proto__": "def", "toString": "def"}');
    const client = start({ id: "😀 名" }, { defaultFeatures });
    const before = ["__proto__", "toString", "valueOf"].map((key) => client.evaluate(key).value());
    await until("LOADED");
    const keys = ["__proto__", "constructor", "7", "café", "toString", "hasOwnProperty"];
    return [
      before,
      keys.map((key) => client.evaluate(key).value()),
      Object.entries(client.getFeatures()).sort(),
      {}.on,
    ];
  });
  assert.deepEqual(seen[0], ["def", "def", "off"]);
  assert.deepEqual(seen[1], ["on", "blue", "on", "ü", "def", "off"]);
  assert.deepEqual(seen[2], Object.entries(service.features).sort());
  assert.equal(seen[3], undefined);
  assert.deepEqual(JSON.parse(service.requestsOf("load")[0].body), { user: { id: "😀 名" } });
});

test("features are evaluated locally from the loaded values, without requests", async () => {
  const page = await browser.open(service);
  const calls = await page.evaluate(async () => {
    start({ id: "alice" }, { streaming: false });
    await until("LOADED");
    const { fetch } = window;
    const calls = [];
    window.fetch = (...args) => {
      calls.push("fetch");
      return fetch(...args);
    };
    XMLHttpRequest.prototype.open = () => calls.push("XMLHttpRequest");
    navigator.sendBeacon = () => calls.push("sendBeacon");
    for (let turn = 0; turn < 1_000; turn++) for (const key of ["a", "b", `unknown-${turn}`]) client.evaluate(key);
    client.evaluateAll();
    client.getFeatures();
    const values = ["a", "b", "unknown-1"].map((key) => client.evaluate(key).value());
    // Proves that a request would be recorded.
    client.goal("purchase");
    return [values, calls];
  });
  assert.deepEqual(calls, [["on", "off", "off"], ["fetch"]]);
  await service.waitForRequests("goals");
  assert.equal(service.requestsOf("load").length, 1);
});

test("with defaultFeatures {'my-feature': 'on'}, isOn() is true without a connection and without a cache entry", async () => {
  service.handlers.load = (_request, response) => response.destroy();
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { "my-feature": "on" } });
    const read = () => [client.evaluate("my-feature").isOn(), client.evaluate("another").isOff()];
    const before = read();
    await until("ERROR");
    return [before, read(), client.getFeatures()];
  });
  assert.deepEqual(seen, [[true, true], [true, true], { "my-feature": "on" }]);
});

test("evaluate reports anything that is not a feature key, and returns off", async () => {
  const page = await browser.open(service);
  const values = await page.evaluate(() => {
    start({ id: "alice" });
    return [undefined, null, 7, {}].map((key) => client.evaluate(key).value());
  });
  assert.deepEqual(values, ["off", "off", "off", "off"]);
  assert.equal(page.logs.length, 4);
  assert.match(page.logs[0], /evaluate/);
  assert.deepEqual(page.uncaught, []);
});

test("evaluateAll returns all features with the fallbacks applied, and getFeatures the current ones", async () => {
  const page = await browser.open(service);
  const maps = await page.evaluate(async () => {
    const defaultFeatures = { a: "def", d: "def", e: "def" };
    start({ id: "alice" }, { defaultFeatures, bootstrap: { b: "boot", d: "boot" } });
    const before = [client.evaluateAll(), client.getFeatures()];
    await until("LOADED");
    return [...before, client.evaluateAll(), client.getFeatures()];
  });
  assert.deepEqual(maps, [
    { a: "def", b: "boot", d: "boot", e: "def" },
    { b: "boot", d: "boot" },
    { a: "on", b: "off", d: "boot", e: "def" },
    { a: "on", b: "off" },
  ]);
});

test("an evaluation is cached until something changes, unless a predicate or listener has to be called", async () => {
  const page = await browser.open(service);
  const same = await page.evaluate(async () => {
    const excluded = FlagService.exposureIntegration(() => {}, { flags: ["b"] });
    const sends = FlagService.exposureIntegration(() => {});
    start({ id: "alice" }, { integrations: [excluded, sends], streaming: false });
    await until("LOADED");
    const same = () => {
      const first = client.evaluate("a");
      return client.evaluate("a") === first;
    };
    const seen = [same()];
    const cached = client.evaluate("a");
    client.on("EVALUATION", () => {});
    seen.push(same(), client.evaluate("a") === cached);
    client.off("EVALUATION");
    seen.push(same());
    const last = client.evaluate("a");
    client.updateUser({ id: "bob" });
    seen.push(client.evaluate("a") === last);
    const withPredicate = FlagService.exposureIntegration(() => {}, { flags: () => false });
    const uncached = FlagService.init("js-key", {}, { offline: true, integrations: [withPredicate] });
    const first = uncached.evaluate("a");
    seen.push(uncached.evaluate("a") === first);
    return seen;
  });
  assert.deepEqual(same, [true, false, false, true, false, false]);
});
