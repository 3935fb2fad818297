// init: what it answers at once, what it refuses, and what it ignores.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { StandIn, startBrowser } from "../../tests/browser/stand-in.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([StandIn.start(), startBrowser()]);
});

beforeEach(async () => {
  await browser.clear();
  service.reset();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

test("evaluate is right in the same tick: from bootstrap, else cache, else defaultFeatures, else off", async () => {
  service.features = { cached: "on", both: "cached" };
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  const values = await page.evaluate(() => {
    const defaultFeatures = { cached: "def", both: "def", default: "def" };
    const keys = ["cached", "both", "default", "unknown"];
    const read = (client) => keys.map((key) => client.evaluate(key).value());
    return [
      read(FlagService.init("js-key", { id: "alice" }, { defaultFeatures })),
      read(FlagService.init("js-key", { id: "bob" }, { defaultFeatures })),
      read(FlagService.init("js-key", { id: "alice" }, { defaultFeatures, bootstrap: { both: "boot" } })),
    ];
  });
  assert.deepEqual(values, [
    ["on", "cached", "def", "off"],
    ["def", "def", "def", "off"],
    ["def", "boot", "def", "off"],
  ]);
});

test("an evaluation has is, isOn, isOff and value, and later changes do not alter it", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    window.before = client.evaluate("a");
  });
  await service.open(1);
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

test("init throws a TypeError that names apiKey, and throws for nothing else", async () => {
  const page = await browser.open(service);
  const thrown = await page.evaluate(() => {
    const attempt = (...args) => {
      try {
        FlagService.init(...args).close();
        return "client";
      } catch (error) {
        return `${error.name} ${error.message.includes("apiKey")}`;
      }
    };
    const circle = {};
    circle.self = circle;
    const settings = [null, 7, "config", [], { streaming: "yes", useCookies: 1, offline: null }];
    settings.push({ defaultFeatures: { a: true, b: "on" }, bootstrap: ["a"], baseUrl: "http://", integrations: {} });
    settings.push({ integrations: [null, {}, () => {}], logger: {}, unknown: 1 });
    const throws = () => {
      throw new Error("no");
    };
    settings.push({
      get streaming() {
        return throws();
      },
      get bootstrap() {
        return {
          get a() {
            return throws();
          },
        };
      },
    });
    const users = [null, 7, "alice", { id: 7 }, { id: "" }, { attributes: circle }, { attributes: [1] }, { id: null }];
    users.push(
      {
        get id() {
          return throws();
        },
      },
      {
        attributes: {
          get a() {
            return throws();
          },
        },
      },
    );
    return {
      keys: [undefined, null, "", "  ", 7, {}].map((key) => attempt(key)),
      settings: settings.map((config) => attempt("js-key", undefined, config)),
      users: users.map((user) => attempt("js-key", user)),
    };
  });
  assert.deepEqual(thrown.keys, Array(6).fill("TypeError true"));
  assert.deepEqual(thrown.settings, Array(8).fill("client"));
  assert.deepEqual(thrown.users, Array(10).fill("client"));
  const reported = page.lines.map((line) => line.match(/config(\.\w+)?(\["\w+"\]|\[\d\])?|user(\.\w+)?/i)[0]);
  assert.deepEqual(reported, [
    ...["config", "config", "config"],
    ...["config.streaming", "config.useCookies"],
    ...['config.defaultFeatures["a"]', "config.bootstrap", "config.baseUrl", "config.integrations"],
    ...[
      "config.logger",
      "config.integrations[0]",
      "config.integrations[1]",
      "config.integrations[2]",
      "config.bootstrap",
    ],
    ...["user", "user", "user.id", "user.id", "user.attributes", "user.attributes", "user.id", "user.attributes"],
  ]);
  assert.deepEqual(page.wrongs, []);
});

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

test("keys are keys, whatever they are called", async () => {
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
  assert.deepEqual(JSON.parse(service.of("load")[0].body), { user: { id: "😀 名" } });
});

test("the first load needs no preflight, sends no cookies, and names the user in its body alone", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has a cookie store, and the page may be without TLS.
    document.cookie = "session=1";
    start({ id: "mark-id", attributes: { z: [1, "x"], a: "mark-attribute" } });
    await until("LOADED");
  });
  await service.open(1);
  assert.ok(service.requests.every(({ method }) => method !== "OPTIONS"));
  assert.ok(service.requests.every(({ url, headers }) => !`${url}${headers.cookie ?? ""}`.includes("mark")));
  const [{ body, headers, url }] = service.of("load");
  assert.equal(url, "/client/v1/js-key/load");
  assert.equal(body, '{"user":{"id":"mark-id","attributes":{"a":"mark-attribute","z":[1,"x"]}}}');
  assert.equal(headers["content-type"], "text/plain;charset=UTF-8");
  assert.equal(headers.cookie, undefined);
});

test("two clients of a page live beside each other", async () => {
  service.answer.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id }, since: this.since, token: "token" }));
  };
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    const clients = ["alice", "bob"].map((id) => FlagService.init("js-key", { id }));
    await Promise.all(clients.map((client) => new Promise((resolve) => client.on("LOADED", resolve))));
    clients[0].close();
    return clients.map((client) => client.evaluate("who").value());
  });
  assert.deepEqual(seen, ["alice", "bob"]);
});

test("close ends stream and request, and evaluate still answers", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await service.open(1);
  const seen = await page.evaluate(() => {
    client.close();
    client.close();
    client.on("EVALUATION", () => log.push("heard"));
    client.updateUser({ id: "bob" });
    client.goal("purchase");
    return [client.evaluate("a").value(), client.getFeatures(), client.getUser(), log.length];
  });
  await service.open(0);
  assert.deepEqual(seen, ["on", { a: "on", b: "off" }, { id: "alice" }, 3]);
  assert.deepEqual(page.wrongs, []);
});
