// Goals: what they carry, and that none is lost.
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

function goalsOf(requests) {
  return requests.flatMap(({ body }) => JSON.parse(body).goals);
}

test("a goal carries the features as of the call and a random id", async () => {
  const page = await browser.open(service);
  const features = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    client.goal("purchase");
    client.goal('key "with" signs');
    return client.getFeatures();
  });
  const goals = goalsOf(await service.asked("goals", 2));
  assert.deepEqual(
    goals.map(({ id: _id, ...goal }) => goal),
    [
      { key: "purchase", userId: "alice", features },
      { key: 'key "with" signs', userId: "alice", features },
    ],
  );
  for (const { id } of goals) assert.match(id, /^[A-Za-z0-9_-]{8,64}$/);
  assert.notEqual(goals[0].id, goals[1].id);
  assert.equal(service.of("goals")[0].headers["content-type"], "text/plain;charset=UTF-8");
});

test("a goal is sent also when the features could not be loaded", async () => {
  service.answer.load = (_request, response) => response.destroy();
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    client.goal("purchase");
  });
  const [goal] = goalsOf(await service.asked("goals"));
  assert.deepEqual(goal.features, { a: "def" });
});

test("goals are sent again with the same ids after a network failure, and in one request", async () => {
  service.answer.goals = (_request, response) => response.destroy();
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" });
    client.goal("one");
    client.goal("two");
  });
  const [first] = goalsOf(await service.asked("goals"));
  delete service.answer.goals;
  // The browser sends a request again by itself when its connection breaks; the client's own repeat has both goals.
  const repeat = async (count) => {
    const goals = goalsOf((await service.asked("goals", count)).slice(-1));
    return goals.length < 2 ? repeat(count + 1) : goals;
  };
  const again = await repeat(2);
  assert.deepEqual(
    again.map(({ key }) => key),
    ["one", "two"],
  );
  assert.equal(again[0].id, first.id);
});

test("a goal survives a closing page", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    window.addEventListener("pagehide", () => client.goal("leaving"));
    client.goal("clicked");
  });
  await page.goto("about:blank");
  const requests = await service.asked("goals", 2);
  const keys = new Set(goalsOf(requests).map(({ key }) => key));
  assert.ok(keys.has("clicked") && keys.has("leaving"), [...keys].join());
});

test("a goal without a key is reported", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" });
    for (const key of [undefined, null, "", 7]) client.goal(key);
  });
  assert.equal(page.lines.length, 4);
  assert.deepEqual(page.wrongs, []);
});
