// init: the first answers, errors, and invalid arguments.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { FakeService } from "../../tests/support/browser/fake-service.mjs";

const { service, browser } = setupBrowserTest();

test("in the tick of init, evaluate answers from bootstrap, else cache, else defaultFeatures, else off", async () => {
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

test("bootstrap applies only to the user of init, for whom the cache is then not read", async () => {
  service.features = { cached: "on" };
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  service.handlers.load = () => {};
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

/** In a page: calls init with invalid keys, settings and users, and returns what each call throws. */
function initWithInvalidArguments() {
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
}

test("init throws a TypeError that names apiKey, and throws for no other reason", async () => {
  const page = await browser.open(service);
  const thrown = await page.evaluate(initWithInvalidArguments);
  assert.deepEqual(thrown.keys, Array(6).fill("TypeError true"));
  assert.deepEqual(thrown.settings, Array(8).fill("client"));
  assert.deepEqual(thrown.users, Array(10).fill("client"));
  const reported = page.logs.map((line) => line.match(/config(\.\w+)?(\["\w+"\]|\[\d\])?|user(\.\w+)?/i)[0]);
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
  assert.deepEqual(page.uncaught, []);
});

test("the load needs no preflight, sends no cookies, and has the user only in its body", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has a cookie store, and the page may be without TLS.
    document.cookie = "session=1";
    start({ id: "mark-id", attributes: { z: [1, "x"], a: "mark-attribute" } });
    await until("LOADED");
  });
  await service.waitForStreams(1);
  assert.ok(service.requests.every(({ method }) => method !== "OPTIONS"));
  assert.ok(service.requests.every(({ url, headers }) => !`${url}${headers.cookie ?? ""}`.includes("mark")));
  const [{ body, headers, url }] = service.requestsOf("load");
  assert.equal(url, "/client/v1/js-key/load");
  assert.equal(body, '{"user":{"id":"mark-id","attributes":{"a":"mark-attribute","z":[1,"x"]}}}');
  assert.equal(headers["content-type"], "text/plain;charset=UTF-8");
  assert.equal(headers.cookie, undefined);
});

test("with baseUrl every request goes to that origin, without a preflight", async (t) => {
  const other = await FakeService.start();
  t.after(() => other.stop());
  const page = await browser.open(service);
  await page.evaluate(async (baseUrl) => {
    start({ id: "alice" }, { baseUrl });
    await until("LOADED");
    client.goal("purchase");
  }, `${other.base}/`);
  await other.waitForStreams(1);
  await other.waitForRequests("goals");
  assert.deepEqual(other.requests.map(({ method, kind, url }) => [method, kind, url.split("?")[0]]).sort(), [
    ["GET", "stream", "/client/v1/js-key/stream"],
    ["POST", "goals", "/client/v1/js-key/goals"],
    ["POST", "load", "/client/v1/js-key/load"],
  ]);
  assert.deepEqual(service.requests, []);
});

test("hasReceivedInitialResponse is false until the first request completes with any status code, then true", async () => {
  const page = await browser.open(service);
  for (const status of [200, 204, 403, 404, 429, 500, 503]) {
    let respond;
    service.handlers.load = (_request, response) => {
      respond = () => response.writeHead(status).end(status === 200 ? service.loadBody() : "");
    };
    const loads = service.requestsOf("load").length + 1;
    const before = await page.evaluate(() => start({ id: "alice" }).hasReceivedInitialResponse());
    await service.waitForRequests("load", loads);
    const meanwhile = await page.evaluate(() => client.hasReceivedInitialResponse());
    respond();
    await page.waitForFunction(() => log.some(([name]) => name === "INIT" || name === "ERROR"));
    const then = await page.evaluate(() => {
      client.close();
      log.length = 0;
      return client.hasReceivedInitialResponse();
    });
    assert.deepEqual([before, meanwhile, then], [false, false, true], `${status}`);
  }
});

test("two clients in a page are independent", async () => {
  service.handlers.load = function (_request, response, body) {
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
