// Answers before the core is loaded: immediate, and the same as the core's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutWasm } from "../../tests/support/browser/fake-service.mjs";

const { service, browser } = setupBrowserTest();

/** Does not apply to the build without wasm. */
const skip = withoutWasm && "this build's core is available at once";

/** In a page, before its scripts: delays the wasm until `releaseWasm()` is called. */
function delayWasm() {
  const { instantiate } = WebAssembly;
  const released = new Promise((resolve) => {
    window.releaseWasm = resolve;
  });
  window.instantiated = 0;
  WebAssembly.instantiate = async (...args) => {
    await released;
    window.instantiated += 1;
    return instantiate(...args);
  };
}

test("the first answers do not wait for the wasm, and their exposures are sent when it runs", { skip }, async () => {
  const page = await browser.open(service, delayWasm);
  const seen = await page.evaluate(async () => {
    window.sent = [];
    const integrations = [FlagService.exposureIntegration(({ key, variant }) => sent.push([key, variant]))];
    const client = start({ id: "alice" }, { bootstrap: { a: "boot" }, defaultFeatures: { d: "def" }, integrations });
    const values = ["a", "d", "x"].map((key) => client.evaluate(key).value());
    client.evaluate("a");
    await new Promise((resolve) => setTimeout(resolve));
    return [instantiated, values, sent, client.getFeatures(), client.evaluateAll(), client.getUser(), log];
  });
  assert.deepEqual(seen, [
    0,
    ["boot", "def", "off"],
    [],
    { a: "boot" },
    { a: "boot", d: "def" },
    { id: "alice" },
    ["returned"],
  ]);
  assert.deepEqual(service.requests, []);
  await page.evaluate(() => releaseWasm());
  await service.waitForStreams(1);
  const then = await page.evaluate(() => [[...sent], client.evaluate("a").value(), client.evaluate("d").value(), log]);
  const loaded = { a: "on", b: "off" };
  const exposures = [
    ["a", "boot"],
    ["d", "def"],
    ["x", "off"],
  ];
  assert.deepEqual(then, [exposures, "on", "def", ["returned", ["INIT", loaded], ["LOADED", loaded]]]);
});

/** Features for bootstrap, cache and defaults, with all kinds of keys. */
const MAPS = [
  undefined,
  {},
  { a: "on", b: "off" },
  { b: "blue", constructor: "on", "ключ 😀": "да" },
  JSON.parse('{"__proto__": "on", "a": "off", "empty": ""}'),
];

test("the core gives the same answers as the look-up before it, from all combinations of sources", {
  skip,
}, async () => {
  service.handlers.load = (_request, response) => response.writeHead(503).end();
  const page = await browser.open(service, delayWasm);
  const before = await page.evaluate((maps) => {
    const keys = ["a", "b", "constructor", "__proto__", "ключ 😀", "empty", "unknown", ""];
    window.clients = [];
    window.readAll = () =>
      JSON.stringify(
        clients.map((client) => [
          keys.map((key) => client.evaluate(key).value()),
          Object.entries(client.getFeatures()).sort(),
          Object.entries(client.evaluateAll()).sort(),
          client.getUser(),
          client.getAnonymousId(),
        ]),
      );
    for (const [index, cached] of maps.entries()) {
      const user = index % 2 ? undefined : { id: `user ${index}`, attributes: { index } };
      const probe = FlagService.init("js-key", user, { streaming: false });
      const [name] = [probe.getUser()].map(({ id, attributes }) => entryName(id, attributes));
      probe.close();
      if (cached) localStorage.setItem(name, JSON.stringify({ at: 1, features: cached }));
      for (const bootstrap of maps) {
        for (const defaultFeatures of maps) {
          clients.push(FlagService.init("js-key", user, { streaming: false, bootstrap, defaultFeatures }));
        }
      }
    }
    function entryName(id, attributes) {
      let hash = 0xcbf29ce484222325n;
      for (const byte of new TextEncoder().encode(`${id}\0${attributes ? JSON.stringify(attributes) : ""}`)) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      }
      return `flagservice:v1:js-key:${hash.toString(16).padStart(16, "0")}`;
    }
    return [instantiated, readAll()];
  }, MAPS);
  assert.equal(before[0], 0);
  assert.equal(JSON.parse(before[1]).length, MAPS.length ** 3);
  await page.evaluate(() => releaseWasm());
  await service.waitForRequests("load", MAPS.length ** 3);
  const after = await page.evaluate(() => {
    // Evaluations are cached unless there is an EVALUATION listener.
    for (const client of clients) client.on("EVALUATION", () => {});
    return [instantiated, readAll()];
  });
  assert.equal(after[0], 1);
  assert.deepEqual(JSON.parse(after[1]), JSON.parse(before[1]));
});

test("the core makes the calls that were queued before it was loaded, in order", { skip }, async () => {
  const page = await browser.open(service, delayWasm);
  await page.evaluate(() => {
    start({ id: "alice" }, { bootstrap: { a: "boot" }, defaultFeatures: { d: "def" } });
    client.updateUser({ id: "bob" }, (features) => log.push(["bob", features]));
    window.between = [client.getUser().id, client.evaluate("a").value(), client.getFeatures()];
    client.updateUser({ id: "carol" }, (features) => log.push(["carol", features]));
    releaseWasm();
  });
  await service.waitForStreams(1);
  const loaded = { a: "on", b: "off" };
  assert.deepEqual(
    await page.evaluate(() => between),
    ["bob", "off", { d: "def" }],
    "bootstrap is only for init's user",
  );
  assert.deepEqual(await page.evaluate(() => log.slice(1)), [
    ["INIT", loaded],
    ["LOADED", loaded],
    ["bob", loaded],
    ["carol", loaded],
  ]);
  const loads = service.requestsOf("load").map(({ body }) => JSON.parse(body).user.id);
  assert.deepEqual(loads, ["carol"], "the last user wins");
});

test("a client that is closed before its core is loaded sends no requests", { skip }, async () => {
  const page = await browser.open(service, delayWasm);
  const features = await page.evaluate(async () => {
    const closed = start({ id: "alice" }, { bootstrap: { a: "boot" } });
    closed.close();
    start({ id: "bob" });
    releaseWasm();
    await until("LOADED");
    return [closed.getFeatures(), closed.evaluate("a").value()];
  });
  assert.deepEqual(features, [{ a: "boot" }, "boot"]);
  const loads = service.requestsOf("load").map(({ body }) => JSON.parse(body).user.id);
  assert.deepEqual(loads, ["bob"]);
});

test("a goal is sent with the current features even if the page navigates away in the same tick", async () => {
  const page = await browser.open(service);
  service.scripts["/next.html"] = "";
  await page.evaluate(() => {
    const client = FlagService.init("js-key", { id: "alice" }, { bootstrap: { a: "boot" } });
    client.goal("seen");
    location.assign("/next.html");
  });
  const [{ body }] = await service.waitForRequests("goals");
  const [{ key, userId, features }] = JSON.parse(body).goals;
  assert.deepEqual({ key, userId, features }, { key: "seen", userId: "alice", features: { a: "boot" } });
});

/** When a page is closed: `before` runs in the page after an evaluation and before the page navigates away. */
const CLOSED = {
  "before the core runs": { delayed: true, before: () => {} },
  "while the core starts": { delayed: true, before: () => void releaseWasm() },
  "after the core has started": { before: () => runCore(client) },
};

for (const [moment, { delayed, before }] of Object.entries(CLOSED)) {
  test(`an exposure is sent exactly once if the page is closed ${moment}`, { skip: delayed && skip }, async () => {
    service.scripts["/next.html"] = "";
    service.handlers.exposure = (_request, response) => response.end();
    const page = await browser.open(service, delayed && delayWasm);
    await page.evaluate((before) => {
      const send = (exposure) => navigator.sendBeacon("/client/v1/js-key/exposure", JSON.stringify(exposure));
      const integrations = [FlagService.exposureIntegration(send)];
      window.client = FlagService.init("js-key", { id: "alice" }, { bootstrap: { a: "boot" }, integrations });
      client.evaluate("a");
      client.evaluate("a");
      new Function(`(${before})()`)();
      location.assign("/next.html");
    }, String(before));
    await page.waitForURL("**/next.html");
    // A second beacon of the closed page would arrive before that of the next page.
    await page.evaluate(() => navigator.sendBeacon("/client/v1/js-key/exposure", "next"));
    const sent = await service.waitForRequests("exposure", 2);
    assert.deepEqual(
      sent.map(({ body }) => body),
      [JSON.stringify({ key: "a", variant: "boot" }), "next"],
    );
  });
}

test("a second client uses the loaded core", { skip }, async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    WebAssembly.instantiate = () => Promise.reject(new Error("no second time"));
    start({ id: "bob" });
    await until("LOADED");
  });
  const loads = service.requestsOf("load").map(({ body }) => JSON.parse(body).user.id);
  assert.deepEqual(loads, ["alice", "bob"]);
  assert.deepEqual(page.logs, []);
});
