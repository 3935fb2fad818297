// Sentences of the specification that have no file of their own here: one test each. docs/proofs/ has all of them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { StandIn, startBrowser } from "../../tests/browser/stand-in.mjs";

const ID_NAME = "flagservice-anonymous-id";

let service;
let other;
let browser;

before(async () => {
  [service, other, browser] = await Promise.all([StandIn.start(), StandIn.start(), startBrowser()]);
});

beforeEach(async () => {
  await browser.clear();
  service.reset();
  other.reset();
});

after(async () => {
  await browser?.close();
  await service?.stop();
  await other?.stop();
});

/** Answers each load with who asked. */
function answerWho() {
  service.answer.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id }, since: this.since, token: "token" }));
  };
}

test("flags are evaluated locally, from the loaded values: no evaluation makes a call", async () => {
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
    // A call is seen when one is made.
    client.goal("purchase");
    return [values, calls];
  });
  assert.deepEqual(calls, [["on", "off", "off"], ["fetch"]]);
  await service.asked("goals");
  assert.equal(service.of("load").length, 1);
});

test("with defaultFeatures {'my-feature': 'on'}, isOn() is true while the connection is interrupted and nothing is cached", async () => {
  service.answer.load = (_request, response) => response.destroy();
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

test("hasReceivedInitialResponse is false until the initial request completes, with any status code, then true", async () => {
  const page = await browser.open(service);
  for (const status of [200, 204, 403, 404, 429, 500, 503]) {
    let answer;
    service.answer.load = (_request, response) => {
      answer = () => response.writeHead(status).end(status === 200 ? service.loaded() : "");
    };
    const asked = service.of("load").length + 1;
    const before = await page.evaluate(() => start({ id: "alice" }).hasReceivedInitialResponse());
    await service.asked("load", asked);
    const meanwhile = await page.evaluate(() => client.hasReceivedInitialResponse());
    answer();
    await page.waitForFunction(() => log.some(([name]) => name === "INIT" || name === "ERROR"));
    const then = await page.evaluate(() => {
      client.close();
      log.length = 0;
      return client.hasReceivedInitialResponse();
    });
    assert.deepEqual([before, meanwhile, then], [false, false, true], `${status}`);
  }
});

test("evaluate needs the key of a feature: anything else is reported, and its value is off", async () => {
  const page = await browser.open(service);
  const values = await page.evaluate(() => {
    start({ id: "alice" });
    return [undefined, null, 7, {}].map((key) => client.evaluate(key).value());
  });
  assert.deepEqual(values, ["off", "off", "off", "off"]);
  assert.equal(page.lines.length, 4);
  assert.match(page.lines[0], /evaluate/);
  assert.deepEqual(page.wrongs, []);
});

test("bindContext is undefined unless it is given", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const seen = [];
    // In a class, where this is what it is given.
    class Page {
      hear() {
        seen.push(this);
      }
    }
    const client = start();
    const context = new Page();
    client.on("EVALUATION", context.hear);
    client.on("EVALUATION", context.hear, context);
    client.evaluate("a");
    return [seen.length, seen[0] === undefined, seen[1] === context];
  });
  assert.deepEqual(seen, [2, true, true]);
});

test("getAnonymousId is what local storage holds, also for a named user, whom no cookie follows", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async (name) => {
    start({ id: "alice" });
    await until("LOADED");
    const first = client.getAnonymousId();
    const stored = [localStorage.getItem(name)];
    const second = client.resetAnonymousId();
    stored.push(localStorage.getItem(name));
    const cookie = document.cookie;
    client.updateUser();
    const user = client.getUser();
    await until("LOADED");
    return [[first, second], stored, cookie, user, document.cookie];
  }, ID_NAME);
  const [ids, stored, cookie, user, then] = seen;
  assert.deepEqual(ids, stored);
  assert.equal(new Set(ids).size, 2);
  assert.equal(cookie, "", "the anonymous id is not in use");
  assert.deepEqual(user, { id: ids[1] }, "without a user, updateUser means the anonymous one");
  assert.equal(then, `${ID_NAME}=${ids[1]}`);
});

test("without cookies getAnonymousId gives the id by which the service knows the client", async () => {
  const page = await browser.open(service);
  const [id, cookie] = await page.evaluate(async () => {
    start(undefined, { useCookies: false });
    await until("LOADED");
    return [client.getAnonymousId(), document.cookie];
  });
  assert.equal(JSON.parse(service.of("load")[0].body).user.id, id);
  assert.equal(cookie, "");
});

test("a cookie that is there is neither read nor written where cookies are not used", async () => {
  const page = await browser.open(service);
  const value = `anonymous:${"0123456789abcdef".repeat(2)}`;
  await page.context().addCookies([{ name: ID_NAME, value, url: service.base }]);
  const [id, cookie] = await page.evaluate(async () => {
    start(undefined, { useCookies: false });
    await until("LOADED");
    return [client.getAnonymousId(), document.cookie];
  });
  assert.notEqual(id, value);
  assert.equal(cookie, `${ID_NAME}=${value}`);
});

test("the cookie is Secure on https", async () => {
  const page = await browser.open(service);
  await page.route("https://shop.example/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const method = route.request().method();
    const answer = await fetch(service.base + pathname, { method, body: route.request().postData() ?? undefined });
    const headers = { "content-type": answer.headers.get("content-type") ?? "application/json" };
    await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
  });
  await page.goto("https://shop.example/");
  const id = await page.evaluate(async () => {
    const client = FlagService.init("js-key", undefined, { streaming: false });
    await new Promise((resolve) => client.on("LOADED", resolve));
    return client.getAnonymousId();
  });
  const cookies = await page.context().cookies("https://shop.example/");
  const facts = cookies.map(({ name, value, path, sameSite, secure }) => ({ name, value, path, sameSite, secure }));
  assert.deepEqual(facts, [{ name: ID_NAME, value: id, path: "/", sameSite: "Lax", secure: true }]);
});

test("the anonymous id is anonymous: and 128 bits of crypto.getRandomValues", async () => {
  const page = await browser.open(service, () => {
    Crypto.prototype.getRandomValues = (bytes) => bytes.set(bytes.map((_, place) => 0xf0 - place));
  });
  const id = await page.evaluate(() => start().getAnonymousId());
  assert.equal(id, "anonymous:f0efeeedecebeae9e8e7e6e5e4e3e2e1");
});

test("bootstrap is for the user of init alone, and then the cache is not read for that user", async () => {
  service.features = { cached: "on" };
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  service.answer.load = () => {};
  const values = await page.evaluate(() => {
    start({ id: "alice" }, { bootstrap: { boot: "blue" } });
    const read = () => ["boot", "cached"].map((key) => client.evaluate(key).value());
    const values = [read()];
    client.updateUser({ id: "bob" });
    values.push(read());
    client.updateUser({ id: "alice" });
    return [...values, read()];
  });
  assert.deepEqual(values, [
    ["blue", "off"],
    ["off", "off"],
    ["off", "on"],
  ]);
});

test("evaluateAll is a flat map of all features with the fallbacks applied; getFeatures is those in force", async () => {
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

test("baseUrl takes every call to another origin, without a preflight", async () => {
  const page = await browser.open(service);
  await page.evaluate(async (baseUrl) => {
    start({ id: "alice" }, { baseUrl });
    await until("LOADED");
    client.goal("purchase");
  }, `${other.base}/`);
  await other.open(1);
  await other.asked("goals");
  assert.deepEqual(other.requests.map(({ method, kind, url }) => [method, kind, url.split("?")[0]]).sort(), [
    ["GET", "stream", "/client/v1/js-key/stream"],
    ["POST", "goals", "/client/v1/js-key/goals"],
    ["POST", "load", "/client/v1/js-key/load"],
  ]);
  assert.deepEqual(service.requests, []);
});

test("evaluate, on, off, updateUser and goal may be called from inside any listener, and from a callback", async () => {
  answerWho();
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await page.goto(service.page);
  await page.evaluate(() => {
    window.told = [];
    window.client = FlagService.init("js-key", { id: "alice" });
    /** Calls everything, the first time; `next` is the user who is then entered. */
    const calls = (name, next, callback) => () => {
      if (told.includes(name)) return;
      told.push(name);
      const nothing = () => {};
      client.evaluate(`in ${name}`);
      client.on("INIT", nothing);
      client.off("INIT", nothing);
      client.goal(name);
      client.updateUser(next, callback);
    };
    for (const name of Object.keys(FlagService.events)) {
      const callback = calls(`callback of ${name}`, { id: `after ${name}` });
      client.on(name, calls(name, { id: `of ${name}` }, callback));
    }
  });
  const toldOf = (name) => page.waitForFunction((name) => told.includes(name), name);
  for (const name of ["LOADED_FROM_CACHE", "INIT", "LOADED", "EVALUATION"]) {
    await toldOf(name);
    await toldOf(`callback of ${name}`);
  }
  service.answer.load = (_request, response) => response.writeHead(404).end();
  await page.evaluate(() => client.updateUser({ id: "lost" }));
  await toldOf("ERROR");
  await toldOf("callback of ERROR");
  delete service.answer.load;
  await page.evaluate(() => client.updateUser({ id: "alice" }));
  await service.open(1);
  service.change({ b: "on" });
  await toldOf("UPDATED_FEATURE");
  await toldOf("callback of UPDATED_FEATURE");
  assert.deepEqual(page.wrongs, []);
  assert.deepEqual(page.lines, []);
  const goals = () => service.of("goals").flatMap(({ body }) => JSON.parse(body).goals);
  while (goals().length < 12) await service.asked("goals", service.of("goals").length + 1);
  assert.equal(new Set(goals().map(({ key }) => key)).size, 12, "a goal of each listener and of each callback");
});

test("deduplication and flags hold for both the event and the user property of analyticsIntegration", async () => {
  const page = await browser.open(service);
  const calls = await page.evaluate(async () => {
    const calls = [];
    class Identify {
      set(name, value) {
        return { [name]: value };
      }
    }
    const instance = (name) => ({
      Identify,
      track: (...args) => calls.push([name, "track", ...args]),
      identify: (...args) => calls.push([name, "identify", ...args]),
    });
    const integrations = [
      FlagService.analyticsIntegration(instance("all")),
      FlagService.analyticsIntegration(instance("none"), { flags: [] }),
      FlagService.analyticsIntegration(instance("some"), { flags: ["b"] }),
      FlagService.analyticsIntegration(instance("asked"), { flags: (key) => key === "b", identify: false }),
    ];
    start({ id: "alice" }, { integrations });
    await until("LOADED");
    for (const key of ["a", "a", "b", "a", "b"]) client.evaluate(key);
    client.evaluateAll();
    return calls;
  });
  const exposure = (name, key, variant) => [name, "track", "$exposure", { flag_key: key, variant }];
  const property = (name, key, variant) => [name, "identify", { [`flagservice_${key}`]: variant }];
  assert.deepEqual(calls, [
    // Nothing else is passed: the events carry the instance's own user and device.
    exposure("all", "a", "on"),
    property("all", "a", "on"),
    exposure("all", "b", "off"),
    property("all", "b", "off"),
    exposure("some", "b", "off"),
    property("some", "b", "off"),
    exposure("asked", "b", "off"),
  ]);
});

test("a change of variant or of user sends a fresh exposure through analyticsIntegration", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    window.sent = [];
    const integrations = [FlagService.analyticsIntegration({ track: (_name, sent) => window.sent.push(sent.variant) })];
    start({ id: "alice" }, { integrations });
    await until("LOADED");
    client.evaluate("a");
  });
  await service.open(1);
  service.change({ a: "blue" });
  await page.waitForFunction(() => client.evaluate("a").is("blue"));
  const sent = await page.evaluate(async () => {
    client.updateUser({ id: "bob" });
    await until("LOADED");
    client.evaluate("a");
    return sent;
  });
  assert.deepEqual(sent, ["on", "blue", "blue"]);
});

test("a cached value sends an exposure", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  service.answer.load = () => {};
  await page.goto(service.page);
  const sent = await page.evaluate(() => {
    const sent = [];
    const integrations = [FlagService.exposureIntegration((exposure) => sent.push(exposure))];
    FlagService.init("js-key", { id: "alice" }, { integrations }).evaluate("a");
    return sent;
  });
  assert.deepEqual(sent, [{ key: "a", variant: "on" }]);
});

test("the ledger is a Set for each handler, in a WeakMap behind Symbol.for('flagservice.exposures')", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const handler = () => {};
    const integrations = [FlagService.exposureIntegration(handler)];
    const client = FlagService.init("js-key", { id: "alice" }, { offline: true, integrations });
    for (const key of ["a", "b", "a"]) client.evaluate(key);
    const ledgers = globalThis[Symbol.for("flagservice.exposures")];
    return [ledgers instanceof WeakMap, ledgers.get(handler) instanceof Set, ledgers.get(handler).size];
  });
  assert.deepEqual(seen, [true, true, 2]);
});

test("an evaluation is kept until anything changes, and not where a predicate or a listener has to be asked", async () => {
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
    const kept = client.evaluate("a");
    client.on("EVALUATION", () => {});
    seen.push(same(), client.evaluate("a") === kept);
    client.off("EVALUATION");
    seen.push(same());
    const last = client.evaluate("a");
    client.updateUser({ id: "bob" });
    seen.push(client.evaluate("a") === last);
    const asked = FlagService.exposureIntegration(() => {}, { flags: () => false });
    const doubtful = FlagService.init("js-key", {}, { offline: true, integrations: [asked] });
    const first = doubtful.evaluate("a");
    seen.push(doubtful.evaluate("a") === first);
    return seen;
  });
  assert.deepEqual(same, [true, false, false, true, false, false]);
});

test("UPDATED_FEATURE does not come without streaming", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" }, { streaming: false });
    await until("LOADED");
  });
  service.version += 1;
  service.features = { a: "off" };
  const log = await page.evaluate(async () => {
    client.updateUser({ id: "alice" });
    await until("LOADED");
    return [log.map(([name]) => name), client.getFeatures()];
  });
  assert.deepEqual(log[1], { a: "off" });
  assert.ok(!log[0].includes("UPDATED_FEATURE"), `${log[0]}`);
  assert.equal(service.of("stream").length, 0);
});

test("after 50 s of silence the stream is opened again, and a beat is a sign of life", {
  timeout: 40_000,
}, async () => {
  // A page whose clock runs twenty times as fast.
  const page = await browser.open(service, () => {
    const SPEED = 20;
    const { setTimeout } = window;
    const { now } = Date;
    const began = now();
    Date.now = () => began + (now() - began) * SPEED;
    window.setTimeout = (elapsed, ms, ...args) => setTimeout(elapsed, ms / SPEED, ...args);
    window.opened = [];
    window.EventSource = class extends EventSource {
      constructor(url) {
        super(url);
        window.opened.push(Date.now());
        this.addEventListener("beat", () => {
          window.beaten = Date.now();
        });
      }
    };
  });
  await page.evaluate(() => start({ id: "alice" }));
  await service.open(1);
  await page.waitForFunction(() => Date.now() - opened[0] > 30_000);
  service.send("beat", {}, "");
  await page.waitForFunction(() => beaten - opened[0] > 30_000);
  const beaten = await page.evaluate(() => beaten);
  await service.asked("stream", 2);
  await page.waitForFunction(() => opened.length === 2);
  const opened = await page.evaluate(() => opened);
  assert.ok(opened[1] - beaten >= 50_000, `opened again ${opened[1] - beaten} ms after the last sign of life`);
  assert.equal(service.of("load").length, 1);
});

test("goals go with keepalive, in requests of at most 60 KB", async () => {
  for (let number = 0; number < 4_000; number++) service.features[`größe-${number}`] = "größer";
  const page = await browser.open(service);
  const keepalive = await page.evaluate(async () => {
    const { fetch } = window;
    const keepalive = [];
    window.fetch = (url, init) => {
      if (url.endsWith("/goals")) keepalive.push(init.keepalive);
      return fetch(url, init);
    };
    start({ id: "alice" }, { streaming: false });
    await until("LOADED");
    for (const key of ["one", "two", "three"]) client.goal(key);
    return keepalive;
  });
  const requests = await service.asked("goals", 3);
  assert.deepEqual(keepalive, [true]);
  for (const { body } of requests) assert.ok(Buffer.byteLength(body) <= 60_000, `${Buffer.byteLength(body)} bytes`);
  assert.deepEqual(
    requests.flatMap(({ body }) => JSON.parse(body).goals.map(({ key }) => key)),
    ["one", "two", "three"],
  );
});

test("of more than 100 goals that cannot be sent the oldest are dropped", async () => {
  const page = await browser.open(service);
  const keys = await page.evaluate(async () => {
    const { fetch } = window;
    const requests = [];
    let second;
    const again = new Promise((resolve) => {
      second = resolve;
    });
    window.fetch = (url, init) => {
      if (!url.endsWith("/goals")) return fetch(url, init);
      return new Promise((_, fail) => {
        if (requests.push({ body: init.body, fail }) === 2) second();
      });
    };
    start({ id: "alice" }, { streaming: false });
    for (let number = 0; number < 103; number++) client.goal(`goal-${number}`);
    requests[0].fail(new TypeError("Failed to fetch"));
    await again;
    return JSON.parse(requests[1].body).goals.map(({ key }) => key);
  });
  assert.equal(keys.length, 100);
  assert.equal(keys[0], "goal-3");
  assert.equal(keys.at(-1), "goal-102");
});

test("the published types name LOADED as deprecated in favour of INIT", async () => {
  const types = join(import.meta.dirname, "..", "..", "dist", "flagservice-client", "dist", "index.d.ts");
  const text = await readFile(types, "utf8");
  const commentOf = (name) =>
    text.match(new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*readonly ${name}: "${name}";`))?.[1];
  assert.match(commentOf("LOADED"), /@deprecated Use INIT\./);
  assert.doesNotMatch(commentOf("INIT"), /@deprecated/);
});

test("evaluateAll sends no exposure", async () => {
  const page = await browser.open(service);
  const sent = await page.evaluate(async () => {
    const sent = [];
    start({ id: "alice" }, { integrations: [FlagService.exposureIntegration(({ key }) => sent.push(key))] });
    await until("LOADED");
    client.evaluateAll();
    client.getFeatures();
    sent.push("evaluateAll was called");
    client.evaluate("a");
    return sent;
  });
  assert.deepEqual(sent, ["evaluateAll was called", "a"]);
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
