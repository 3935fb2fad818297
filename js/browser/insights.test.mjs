// Insights: which pages send a summary of their evaluations, when, and what is in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

/** The bodies that arrived at the path of goals. */
const bodies = () => service.requestsOf("goals").map(({ body }) => body);

/** The bodies, once there are as many. */
async function untilBodies(count) {
  await service.waitForRequests("goals", count);
  return bodies();
}

/** A page whose client has loaded. The responses to its loads ask for a summary unless the rate is 0. */
async function loaded(config, rate = 10) {
  service.insights = rate || undefined;
  const page = await browser.open(service);
  await page.evaluate(async (config) => {
    // Tests cannot hide a tab in every browser.
    let visibility = "visible";
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => visibility });
    window.show = (state) => {
      visibility = state;
      document.dispatchEvent(new Event("visibilitychange"));
    };
    start({ id: "alice" }, config);
    await until("LOADED");
  }, config);
  return page;
}

/** Sends a goal, and resolves with all bodies when it has arrived: whatever was sent before has arrived, too. */
async function untilGoal(page) {
  await page.evaluate(() => client.goal("last"));
  for (let count = 1; ; count++) {
    const all = await untilBodies(count);
    if (all.some((body) => body.includes('"last"'))) return all;
  }
}

const summaries = (all) => all.filter((body) => body.includes("evaluations"));

test("a page that the service asks sends one summary when it is hidden next", async () => {
  const page = await loaded();
  await page.evaluate(() => {
    for (let time = 0; time < 3; time++) client.evaluate("b");
    client.evaluate("a");
    client.evaluateAll();
    client.getFeatures();
    show("hidden");
  });
  const [{ body, headers }] = await service.waitForRequests("goals");
  assert.equal(body, '{"evaluations":{"a":"on","b":"off"}}');
  assert.equal(headers["content-type"], "text/plain;charset=UTF-8");
  await page.evaluate(() => {
    show("visible");
    client.evaluate("c");
    show("hidden");
    show("visible");
  });
  assert.equal(summaries(await untilGoal(page)).length, 1);
});

test("without the member of the load's response not a byte more is sent", async () => {
  const page = await loaded({}, 0);
  await page.evaluate(() => {
    client.evaluate("a");
    show("hidden");
    show("visible");
    client.updateUser({ id: "bob" });
    client.evaluate("a");
  });
  const all = await untilGoal(page);
  assert.deepEqual(
    all.map((body) => Object.keys(JSON.parse(body))),
    [["goals"]],
  );
  await page.evaluate(() => client.close());
  await page.close();
  assert.deepEqual(summaries(bodies()), []);
});

test("nothing is sent if the page has evaluated nothing", async () => {
  const page = await loaded();
  await page.evaluate(() => {
    show("hidden");
    show("visible");
  });
  assert.deepEqual(summaries(await untilGoal(page)), []);
});

test("a summary has the variant of each feature that the page was last shown", async () => {
  const page = await browser.open(service);
  service.insights = 100;
  await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { a: "default", only: "default" } });
    client.evaluate("a");
    client.evaluate("only");
    await until("LOADED");
  });
  await service.waitForStreams(1);
  service.change({ a: "red" });
  await page.waitForFunction(() => client.evaluate("a").is("red"));
  await page.evaluate(() => client.close());
  assert.deepEqual(await untilBodies(1), ['{"evaluations":{"a":"red","only":"default"}}']);
});

test("the summary is sent for the user whose features it has, when the user changes", async () => {
  const page = await loaded();
  await page.evaluate(async () => {
    client.evaluate("a");
    client.updateUser({ id: "bob" });
    client.evaluate("b");
    await until("LOADED");
  });
  assert.deepEqual(await untilBodies(1), ['{"evaluations":{"a":"on"}}']);
  await page.evaluate(() => client.close());
  assert.deepEqual((await untilBodies(2))[1], '{"evaluations":{"b":"off"}}', "the load of bob asked, too");
});

test("a page that closes sends the summary", async () => {
  const page = await loaded();
  await page.evaluate(() => {
    client.evaluate("a");
    location.href = "/?elsewhere";
  });
  assert.deepEqual(summaries(await untilBodies(1)), ['{"evaluations":{"a":"on"}}']);
});

test("with insights: false, and offline, a client sends none", async () => {
  const page = await loaded({ insights: false });
  await page.evaluate(() => {
    client.evaluate("a");
    show("hidden");
    show("visible");
  });
  assert.deepEqual(summaries(await untilGoal(page)), []);
  const offline = await browser.open(service);
  service.requests = [];
  await offline.evaluate(() => {
    start({ id: "alice" }, { offline: true, bootstrap: { a: "on" } });
    client.evaluate("a");
    return runCore(client);
  });
  await offline.evaluate(() => client.close());
  await offline.close();
  assert.deepEqual(service.requests, []);
});

test("an insights setting that is neither true nor false is reported and ignored", async () => {
  const page = await loaded({ insights: "no" });
  await page.evaluate(() => {
    client.evaluate("a");
    client.close();
  });
  assert.deepEqual(await untilBodies(1), ['{"evaluations":{"a":"on"}}']);
});
