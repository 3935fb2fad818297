// Users and updateUser. Anonymous users are in anonymous-id.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

/** Responds to each load with the user's id when the test calls `respond`. */
function delayResponses() {
  const loads = [];
  service.handlers.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    const text = JSON.stringify({ features: { who: id }, since: this.since, token: "token" });
    loads.push({ id, respond: () => response.end(text) });
  };
  return loads;
}

test("updateUser replaces the user in the same tick, loads, and passes the new features to the callback", async () => {
  service.handlers.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id }, since: this.since, token: "token" }));
  };
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { who: "nobody" } });
    await until("LOADED");
    const seen = [];
    const features = new Promise((resolve) => client.updateUser({ id: "bob", attributes: { plan: "pro" } }, resolve));
    seen.push(client.getUser(), client.evaluate("who").value());
    seen.push(await features, client.evaluate("who").value());
    client.updateUser({ id: "alice" });
    seen.push(client.evaluate("who").value());
    await until("LOADED");
    return [seen, log];
  });
  const bob = { id: "bob", attributes: { plan: "pro" } };
  assert.deepEqual(seen[0], [bob, "nobody", { who: "bob" }, "bob", "alice"]);
  const names = seen[1].map(([name]) => name);
  assert.deepEqual(names.slice(1), ["INIT", "LOADED", "INIT", "LOADED", "LOADED_FROM_CACHE", "INIT", "LOADED"]);
});

test("the last of overlapping updateUser calls wins, and outdated responses are neither used nor cached", async () => {
  const loads = delayResponses();
  const page = await browser.open(service, () => {
    // Ignores the abort signal, so that outdated responses arrive.
    const { fetch } = window;
    window.responses = [];
    window.fetch = (url, { signal: _signal, ...init }) => {
      const response = fetch(url, init).then(async (response) => new Response(await response.text(), response));
      window.responses.push(response);
      return response;
    };
  });
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForRequests("load", 1);
  await page.evaluate(() => client.updateUser({ id: "bob" }, (features) => log.push(["first", features])));
  await service.waitForRequests("load", 2);
  await page.evaluate(() => client.updateUser({ id: "carol" }, (features) => log.push(["second", features])));
  await service.waitForRequests("load", 3);
  const carol = { who: "carol" };
  const expected = [
    ["INIT", carol],
    ["LOADED", carol],
    ["first", carol],
    ["second", carol],
  ];
  for (const id of ["alice", "carol", "bob"]) loads.find((load) => load.id === id).respond();
  const [log, keys] = await page.evaluate(async () => {
    const nextTask = () => new Promise((resolve) => setTimeout(resolve));
    // Then the client has each response, and reads the body of the one that it still needs.
    await Promise.all(responses);
    while (log.length < 5) await nextTask();
    await nextTask();
    return [log, Object.keys(localStorage)];
  });
  assert.deepEqual(log.slice(1), expected);
  assert.equal(keys.length, 1);
});

test("the callback is also called after a failed load, which fires ERROR", async () => {
  const page = await browser.open(service);
  service.handlers.load = (_request, response) => response.writeHead(404).end();
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    await until("ERROR");
    return new Promise((resolve) => client.updateUser({ id: "bob" }, (features) => resolve([features, log.at(-1)[0]])));
  });
  assert.deepEqual(seen, [{ a: "def" }, "ERROR"]);
});

for (const [what, id, sent = id, text = id, sentText = text] of [
  ["emoji", "👩🏽‍🚀😀"],
  ["Chinese and Japanese characters", "名前-用户"],
  ["right-to-left characters", "مستخدم-משתמש"],
  // UTF-8 cannot encode a lone surrogate. It becomes the replacement character.
  ["an id with a lone surrogate", "half-\ud83d-pair", "half-\ufffd-pair", "plan"],
  ["attributes with a lone surrogate", "alice", "alice", "half-\ud83d-pair", "half-\ufffd-pair"],
]) {
  test(`a user with ${what} is loaded, cached, and sends each exposure once`, async () => {
    const attributes = { [text]: text, list: [text, 1] };
    const page = await browser.open(service);
    const visit = () =>
      page.evaluate(
        async (user) => {
          const sent = [];
          const integrations = [FlagService.exposureIntegration((exposure) => sent.push(exposure))];
          const events = [];
          const client = FlagService.init("js-key", user, { integrations });
          for (const name of ["LOADED_FROM_CACHE", "INIT"]) client.on(name, () => events.push(name));
          const first = client.evaluate("a").value();
          await new Promise((resolve) => client.on("LOADED", resolve));
          for (let time = 0; time < 3; time++) client.evaluate("a");
          client.updateUser(user);
          client.evaluate("a");
          await new Promise((resolve) => client.on("LOADED", resolve));
          client.evaluate("a");
          return { first, sent, events: events.slice(0, 2) };
        },
        { id, attributes },
      );
    const before = await visit();
    assert.deepEqual(before.sent, [
      { key: "a", variant: "off" },
      { key: "a", variant: "on" },
    ]);
    const [{ body, headers }] = service.requestsOf("load");
    assert.equal(headers["content-type"], "text/plain;charset=UTF-8");
    const { user } = JSON.parse(body);
    assert.equal(user.id, sent);
    assert.deepEqual(user.attributes, { [sentText]: sentText, list: [sentText, 1] });
    await page.goto(service.page);
    const after = await visit();
    assert.equal(after.first, "on");
    assert.deepEqual(after.sent, [{ key: "a", variant: "on" }]);
    assert.deepEqual(after.events, ["LOADED_FROM_CACHE", "INIT"]);
    assert.deepEqual(page.uncaught, []);
    assert.deepEqual(page.logs, []);
  });
}

test("attributes are what JSON makes of them, and reported if that is no object", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const toJSON = (result) => ({ unsaved: true, toJSON: () => result });
    start({ id: "alice" });
    return [toJSON({ seats: 12, plan: "pro" }), toJSON(5), toJSON([1]), toJSON(null), new Date(0)].map((attributes) => {
      client.updateUser({ id: "alice", attributes });
      return JSON.stringify(client.getUser());
    });
  });
  const ignored = Array(4).fill('{"id":"alice"}');
  assert.deepEqual(seen, ['{"id":"alice","attributes":{"plan":"pro","seats":12}}', ...ignored]);
  assert.equal(page.logs.length, 4);
  for (const message of page.logs) assert.match(message, /user\.attributes is ignored/);
});

test("changing the user object after init has no effect", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const user = { id: "alice", attributes: { plan: "pro" } };
    start(user);
    user.id = "bob";
    user.attributes.plan = "free";
    return client.getUser();
  });
  assert.deepEqual(seen, { id: "alice", attributes: { plan: "pro" } });
});
