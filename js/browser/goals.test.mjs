// Goals: what they contain, retries, and closing pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutNetwork } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

function goalsOf(requests) {
  return requests.flatMap(({ body }) => JSON.parse(body).goals);
}

test("a goal contains the features at the time of the call and a random id", async () => {
  const page = await browser.open(service);
  const features = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    client.goal("purchase");
    client.goal('key "with" signs');
    return client.getFeatures();
  });
  const goals = goalsOf(await service.waitForRequests("goals", 2));
  assert.deepEqual(
    goals.map(({ id: _id, ...goal }) => goal),
    [
      { key: "purchase", userId: "alice", features },
      { key: 'key "with" signs', userId: "alice", features },
    ],
  );
  for (const { id } of goals) assert.match(id, /^[A-Za-z0-9_-]{8,64}$/);
  assert.notEqual(goals[0].id, goals[1].id);
  assert.equal(service.requestsOf("goals")[0].headers["content-type"], "text/plain;charset=UTF-8");
});

test("a goal is sent even if the features could not be loaded", async () => {
  service.handlers.load = (_request, response) => response.destroy();
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    client.goal("purchase");
  });
  const [goal] = goalsOf(await service.waitForRequests("goals"));
  assert.deepEqual(goal.features, { a: "def" });
});

test("after a network failure goals are sent again in one request with the same ids", {
  skip: withoutNetwork,
}, async () => {
  const page = await browser.open(service);
  // Aborted in the browser, which would itself retry a connection that the server closes.
  await page.route("**/goals", (route) => route.abort("connectionfailed"));
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate(() => {
    const { fetch } = window;
    window.bodies = [];
    window.fetch = (url, init) => {
      if (url.endsWith("/goals")) bodies.push(init.body);
      return fetch(url, init);
    };
    start({ id: "alice" });
    client.goal("one");
    client.goal("two");
  });
  await failed;
  await page.unroute("**/goals");
  const again = goalsOf(await service.waitForRequests("goals"));
  assert.deepEqual(
    again.map(({ key }) => key),
    ["one", "two"],
  );
  const [lost] = await page.evaluate(() => bodies);
  assert.equal(again[0].id, JSON.parse(lost).goals[0].id);
});

// With a limit, because the sentence says when.
test("goals that get no response are sent again after ten seconds, and those after them too", {
  timeout: 40_000,
}, async () => {
  const startedAt = Date.now();
  service.handlers.goals = () => {
    delete service.handlers.goals;
  };
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" });
    client.goal("one");
  });
  const [lost] = goalsOf(await service.waitForRequests("goals"));
  await page.evaluate(() => client.goal("two"));
  const again = goalsOf(await service.waitForRequests("goals", 2)).slice(1);
  assert.deepEqual(
    again.map(({ key }) => key),
    ["one", "two"],
  );
  assert.equal(again[0].id, lost.id);
  assert.ok(Date.now() - startedAt >= 9_900);
});

test("pending goals are sent when the network is back", { skip: withoutNetwork }, async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await page.context().setOffline(true);
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/goals"));
  await page.evaluate(() => client.goal("waiting"));
  await failed;
  await page.context().setOffline(false);
  const [goal] = goalsOf(await service.waitForRequests("goals"));
  assert.equal(goal.key, "waiting");
});

/** Does not respond to goals, so that they stay in flight, until these keys have arrived in any number of requests. */
async function inFlightUntil(keys, act) {
  const responses = [];
  service.handlers.goals = (_request, response) => responses.push(response);
  await act();
  const missing = new Set(keys);
  for (let count = 1; missing.size > 0; count++) {
    for (const { key } of goalsOf(await service.waitForRequests("goals", count))) missing.delete(key);
  }
  // Firefox does not exit while it waits for a response.
  for (const response of responses) response.end();
}

test("goals are sent while the page closes", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    window.addEventListener("pagehide", () => client.goal("leaving"));
  });
  // By a link on the same site: when the site changes, Firefox may stop the page's scripts during pagehide.
  const leave = () => {
    const link = document.createElement("a");
    link.href = "/?elsewhere";
    link.addEventListener("click", () => client.goal("clicked"));
    document.body.append(link);
    link.click();
  };
  await inFlightUntil(["clicked", "leaving"], () => page.evaluate(leave));
});

test("a goal in flight is sent even if the tab is closed", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await inFlightUntil(["clicked"], async () => {
    await page.evaluate(() => client.goal("clicked"));
    await page.close();
  });
});

test("a goal without a key is reported", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" });
    for (const key of [undefined, null, "", 7]) client.goal(key);
  });
  assert.equal(page.logs.length, 4);
  assert.deepEqual(page.uncaught, []);
});

test("goals are sent with keepalive, in requests of at most 60 KB", async () => {
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
  const requests = await service.waitForRequests("goals", 3);
  assert.deepEqual(keepalive, [true]);
  for (const { body } of requests) assert.ok(Buffer.byteLength(body) <= 60_000, `${Buffer.byteLength(body)} bytes`);
  assert.deepEqual(
    requests.flatMap(({ body }) => JSON.parse(body).goals.map(({ key }) => key)),
    ["one", "two", "three"],
  );
});

test("when more than 100 goals cannot be sent, the oldest are dropped", async () => {
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
