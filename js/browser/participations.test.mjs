// Participations: which evaluations are reported as taking part in an experiment, and when.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutNetwork } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

const participation = (variant, userId = "alice", feature = "a") => ({ feature, variant, userId });

/** What the requests with goals contain so far. */
const sent = () => service.requestsOf("goals").map(({ body }) => JSON.parse(body));

/** The participations in so many requests. */
async function participations(count) {
  const requests = await service.waitForRequests("goals", count);
  return requests.flatMap(({ body }) => JSON.parse(body).participations ?? []);
}

/** A page whose client has loaded, with an experiment for `a` unless the test has set others. */
async function loaded(config) {
  service.experiments ??= ["a"];
  const page = await browser.open(service);
  await page.evaluate(async (config) => {
    start({ id: "alice" }, config);
    await until("LOADED");
  }, config);
  if (config?.streaming !== false) await service.waitForStreams(1);
  return page;
}

/** Sends a goal, and resolves with all requests when it has arrived: whatever was due before has arrived, too. */
async function untilGoal(page) {
  await page.evaluate(() => client.goal("last"));
  for (let count = 1; ; count++) {
    const requests = await service.waitForRequests("goals", count);
    if (requests.some(({ body }) => body.includes('"last"'))) return sent();
  }
}

const shows = (page, value) => page.waitForFunction((value) => client.evaluate("a").is(value), value);

test("a participation is sent once for each user, feature and variant", async () => {
  const page = await loaded();
  await page.evaluate(() => {
    for (let time = 0; time < 3; time++) client.evaluate("a");
    client.evaluate("b");
    client.evaluateAll();
    client.getFeatures();
  });
  const [first] = await service.waitForRequests("goals");
  assert.equal(first.body, '{"participations":[{"feature":"a","variant":"on","userId":"alice"}]}');
  assert.equal(first.headers["content-type"], "text/plain;charset=UTF-8");
  service.change({ a: "off" });
  await shows(page, "off");
  assert.deepEqual((await participations(2)).slice(1), [participation("off")]);
  service.change({ a: "on" });
  await shows(page, "on");
  assert.equal((await untilGoal(page)).flatMap(({ participations }) => participations ?? []).length, 2);
});

test("a participation names the segment that the service gives, in all tabs", async () => {
  service.experiments = ["a/2"];
  const page = await loaded();
  await page.evaluate(() => client.evaluate("a"));
  const other = await browser.openTab(page.context(), service);
  await other.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    client.evaluate("a");
  });
  const named = participation("on", "alice", "a/2");
  assert.deepEqual(await participations(2), [named, named]);
});

test("without an experiment not a byte more is sent", async () => {
  service.experiments = undefined;
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    client.evaluate("a");
    await until("LOADED");
    client.evaluate("a");
  });
  await service.waitForStreams(1);
  service.change({ a: "off" });
  await shows(page, "off");
  const bodies = await untilGoal(page);
  assert.deepEqual(bodies.map(Object.keys), [["goals"]]);
});

test("what is evaluated before the load is sent if the service serves the same variant", async () => {
  service.experiments = ["a", "b"];
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { a: "on", b: "on" } });
    client.evaluate("a");
    client.evaluate("b");
    await until("LOADED");
  });
  assert.deepEqual(await participations(1), [participation("on")]);
  const [, { goals, ...rest }] = await untilGoal(page);
  assert.deepEqual([goals.length, rest], [1, {}], "the default of b was replaced");
  await page.evaluate(() => client.evaluate("b"));
  assert.deepEqual((await participations(3)).at(-1), participation("off", "alice", "b"));
});

test("what one task evaluates is sent in one request", async () => {
  service.experiments = ["a", "b"];
  const page = await loaded();
  await page.evaluate(() => {
    client.evaluate("a");
    client.evaluate("b");
  });
  await service.waitForRequests("goals");
  assert.deepEqual(sent(), [{ participations: [participation("on"), participation("off", "alice", "b")] }]);
});

test("integrations and their filters make no difference", async () => {
  service.experiments = ["a"];
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" }, { integrations: [FlagService.exposureIntegration(() => {}, { flags: ["b"] })] });
    client.on("EVALUATION", () => client.goal("evaluated"));
    await until("LOADED");
    client.evaluate("a");
  });
  const [{ participations, goals }] = (await service.waitForRequests("goals")) && sent();
  assert.deepEqual(participations, [participation("on")]);
  assert.equal(goals[0].key, "evaluated", "a goal of the listener comes after the participation");
});

test("another user takes part for themself", async () => {
  const page = await loaded();
  await page.evaluate(async () => {
    client.evaluate("a");
    client.updateUser({ id: "bob" });
    client.evaluate("a");
    await until("LOADED");
    client.evaluate("a");
  });
  assert.deepEqual(await participations(2), [participation("on"), participation("on", "bob")]);
  await page.evaluate(async () => {
    client.updateUser({ id: "alice" });
    await until("LOADED");
    client.evaluate("a");
  });
  assert.equal((await untilGoal(page)).flatMap(({ participations }) => participations ?? []).length, 2);
});

test("an experiment that begins and ends while the page is open counts what the page shows", async () => {
  service.experiments = [];
  const page = await loaded();
  await page.evaluate(() => client.evaluate("a"));
  service.change({}, ["a", "b"]);
  assert.deepEqual(await participations(1), [participation("on")]);
  service.change({ c: "on" }, []);
  await page.waitForFunction(() => client.evaluate("c").isOn());
  await page.evaluate(() => client.evaluate("b"));
  assert.equal((await untilGoal(page)).flatMap(({ participations }) => participations ?? []).length, 1);
});

test("the next run with a feature is another participation, also of a user who has the same variant", async () => {
  service.experiments = ["a/0/7"];
  const page = await loaded();
  await page.evaluate(() => client.evaluate("a"));
  assert.deepEqual(await participations(1), [participation("on", "alice", "a/0/7")]);
  service.change({ c: "on" }, []);
  await page.waitForFunction(() => client.evaluate("c").isOn());
  service.change({}, ["a/0/8"]);
  assert.deepEqual((await participations(2)).slice(1), [participation("on", "alice", "a/0/8")]);
});

test("a goal that was reached before a participation is in an earlier request", async () => {
  const page = await loaded();
  await page.evaluate(() => {
    client.goal("before");
    client.goal("also before");
    client.evaluate("a");
    client.goal("after");
  });
  await service.waitForRequests("goals", 3);
  const keys = ({ participations = [], goals = [] }) => [participations.length, ...goals.map(({ key }) => key)];
  assert.deepEqual(sent().map(keys), [
    [0, "before"],
    [0, "also before"],
    [1, "after"],
  ]);
});

test("a participation is sent again after a failure", { skip: withoutNetwork }, async () => {
  const page = await loaded();
  await page.route("**/goals", (route) => route.abort("connectionfailed"));
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate(() => client.evaluate("a"));
  await failed;
  await page.unroute("**/goals");
  assert.deepEqual(await participations(1), [participation("on")]);
});

test("a participation is sent with keepalive", async () => {
  const page = await loaded();
  const keepalive = await page.evaluate(() => {
    const { fetch } = window;
    return new Promise((resolve) => {
      window.fetch = (url, init) => {
        if (url.endsWith("/goals")) resolve(init.keepalive);
        return fetch(url, init);
      };
      client.evaluate("a");
    });
  });
  assert.equal(keepalive, true);
});

test("what is evaluated while the page closes is sent", async () => {
  service.experiments = ["a", "b"];
  const page = await loaded();
  const responses = [];
  service.handlers.goals = (_request, response) => responses.push(response);
  await page.evaluate(() => {
    window.addEventListener("pagehide", () => client.evaluate("b"));
    const link = document.createElement("a");
    link.href = "/?elsewhere";
    link.addEventListener("click", () => {
      client.goal("before");
      client.evaluate("a");
    });
    document.body.append(link);
    link.click();
  });
  const missing = new Set(["a", "b"]);
  for (let count = 1; missing.size > 0; count++) {
    for (const { feature } of await participations(count)) missing.delete(feature);
  }
  for (const { participations, goals } of sent()) assert.ok(!(participations && goals), "the goal came before");
  // Firefox does not exit while it waits for a response.
  for (const response of responses) response.end();
});

test("what was evaluated last is sent when the client closes, and nothing after that", async () => {
  service.experiments = ["a", "b"];
  const page = await loaded();
  await page.evaluate(() => {
    client.evaluate("a");
    client.close();
    client.evaluate("b");
  });
  assert.deepEqual(await participations(1), [participation("on")]);
  await page.evaluate(async () => {
    start({ id: "bob" });
    await until("LOADED");
  });
  await untilGoal(page);
  assert.equal(sent().filter(({ participations }) => participations).length, 1);
});

test("an offline client sends nothing", async () => {
  service.experiments = ["a"];
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" }, { offline: true, bootstrap: { a: "on" } });
    client.evaluate("a");
    return runCore(client);
  });
  await page.evaluate(() => client.evaluate("a"));
  await page.close();
  assert.deepEqual(service.requests, []);
});

test("each tab sends what it evaluates, whichever tab holds the stream", async () => {
  service.experiments = [];
  const first = await loaded();
  const second = await browser.openTab(first.context(), service);
  await second.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  for (const tab of [first, second]) await tab.evaluate(() => client.evaluate("a"));
  service.change({}, ["a"]);
  assert.deepEqual(await participations(2), [participation("on"), participation("on")]);
  assert.equal(service.requestsOf("stream").length, 1);
  service.change({ a: "off" });
  for (const tab of [first, second]) await shows(tab, "off");
  assert.deepEqual((await participations(4)).slice(2), [participation("off"), participation("off")]);
});

test("the cache entry has no experiments", async () => {
  const page = await loaded();
  const entries = await page.evaluate(() => Object.values(localStorage).filter((text) => text.startsWith('{"at":')));
  assert.deepEqual(
    entries.map((text) => Object.keys(JSON.parse(text))),
    [["at", "features"]],
  );
});
