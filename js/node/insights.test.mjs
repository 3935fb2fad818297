// Insights: the counts of evaluations that a service sends, how often, and what happens if the service does not take them.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startWithRules } from "../../tests/support/node/built-sdk.mjs";
import { everyone, FakeService, feature } from "../../tests/support/node/fake-service.mjs";
import { mockTimeouts, withoutTimeouts } from "../../tests/support/node/mocked-timeouts.mjs";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const GOALS = "/server/v1/goals";

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

beforeEach(() => {
  service.requests = [];
  service.handlers = {};
});

/** A client with these rules, which does not load them again. */
const start = (t, features, config) => startWithRules(t, service, features, { pollInterval: DAY_MS, ...config });

const requests = () => service.requests.filter(({ url }) => url === GOALS).map(({ body }) => body);

/** The counts in the requests. */
const counts = () => requests().map((body) => JSON.parse(body).evaluations);

const ID = /^\{"id":"[0-9a-f]{32}","evaluations":\{/;

/** From now on time stands still, and requests get responses at once: these statuses, then 202. Returns what the requests contain. */
function standStill(t, statuses = []) {
  const bodies = [];
  mockTimeouts(t);
  t.mock.method(Math, "random", () => 0.5);
  t.mock.method(globalThis, "fetch", async (_, { body }) => {
    bodies.push(JSON.parse(body));
    return new Response("{}", { status: statuses.shift() ?? 202 });
  });
  return bodies;
}

/** Lets time pass, and the client handle the responses. */
async function pass(t, ms) {
  t.mock.timers.tick(ms);
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

test("every evaluation is counted, by feature and variant, and sent when the client closes", async (t) => {
  const client = await start(t, [feature("a"), feature("b", [everyone("plum")])], { defaultFeatures: { d: "def" } });
  for (let time = 0; time < 120; time++) client.evaluate("a", { id: `user-${time}` });
  for (let time = 0; time < 3; time++) client.evaluate("b");
  client.evaluate("d");
  client.evaluateAll();
  client.bootstrap();
  assert.deepEqual(requests(), [], "nothing is sent before the minute is over");
  await withoutTimeouts(t, () => client.close());
  assert.deepEqual(counts(), [{ a: { on: 120 }, b: { plum: 3 }, d: { def: 1 } }]);
  assert.match(requests()[0], ID);
  client.evaluate("a");
  await client.close();
  assert.equal(requests().length, 1);
});

test("counts are sent each minute, if there are any", async (t) => {
  const client = await start(t, [feature("a")]);
  const sent = standStill(t);
  client.evaluate("a");
  client.evaluate("a");
  await pass(t, MINUTE_MS - 1);
  assert.deepEqual(sent, []);
  await pass(t, 1);
  assert.equal(sent.length, 1);
  await pass(t, 10 * MINUTE_MS);
  assert.equal(sent.length, 1);
  client.evaluate("a");
  await pass(t, MINUTE_MS);
  assert.deepEqual(
    sent.map(({ evaluations }) => evaluations),
    [{ a: { on: 2 } }, { a: { on: 1 } }],
  );
  assert.notEqual(sent[0].id, sent[1].id);
});

test("a request that fails is repeated with the same id and counts, and what follows has a request of its own", async (t) => {
  const client = await start(t, [feature("a")]);
  const sent = standStill(t, [503, 429]);
  client.evaluate("a");
  await pass(t, MINUTE_MS);
  client.evaluate("a");
  client.evaluate("a");
  await pass(t, 499);
  assert.equal(sent.length, 1);
  await pass(t, 1);
  assert.equal(sent.length, 2);
  await pass(t, 1_000);
  assert.deepEqual(sent, Array(3).fill(sent[0]));
  await pass(t, MINUTE_MS);
  assert.deepEqual(
    sent.slice(3).map(({ evaluations }) => evaluations),
    [{ a: { on: 2 } }],
  );
  assert.notEqual(sent[3].id, sent[0].id);
});

test("a client that closes tries once more to send what failed, and what was counted since", async (t) => {
  const client = await start(t, [feature("a")]);
  const sent = standStill(t, [503]);
  client.evaluate("a");
  await pass(t, MINUTE_MS);
  client.evaluate("a");
  await client.close();
  assert.deepEqual(sent[1], sent[0]);
  assert.deepEqual(
    sent.map(({ evaluations }) => evaluations),
    Array(3).fill({ a: { on: 1 } }),
  );
  assert.equal(new Set(sent.map(({ id }) => id)).size, 2);
});

test("what is counted during a request is sent a minute after it", async (t) => {
  const client = await start(t, [feature("a")]);
  const sent = standStill(t);
  client.evaluate("a");
  t.mock.timers.tick(MINUTE_MS);
  client.evaluate("a");
  await pass(t, 0);
  assert.equal(sent.length, 1);
  await pass(t, MINUTE_MS);
  assert.equal(sent.length, 2);
});

test("counts that the service rejects are dropped, and reported once", async (t) => {
  const client = await start(t, [feature("a")]);
  const sent = standStill(t, [422, 422]);
  for (let minute = 0; minute < 2; minute++) {
    client.evaluate("a");
    await pass(t, MINUTE_MS);
  }
  await client.close();
  assert.equal(sent.length, 2);
  const [message, ...others] = client.messages;
  assert.match(message, /Dropped counts of evaluations: .*422/);
  assert.deepEqual(others, []);
});

test("a request has at most 1,000 features and 60,000 bytes", async (t) => {
  const client = await start(t, []);
  for (let number = 0; number < 2_500; number++) client.evaluate(`f${number}`);
  const long = "x".repeat(100);
  for (let number = 0; number < 1_000; number++) client.evaluate(`${long}${number}`);
  client.evaluate("y".repeat(70_000));
  await withoutTimeouts(t, () => client.close());
  const sizes = counts().map((evaluations) => Object.keys(evaluations).length);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    3_500,
  );
  assert.deepEqual(sizes.slice(0, 2), [1_000, 1_000]);
  assert.ok(sizes.every((size) => size <= 1_000));
  assert.ok(requests().every((body) => Buffer.byteLength(body) <= 61_000));
  assert.equal(new Set(requests().map((body) => JSON.parse(body).id)).size, sizes.length);
});

test("a feature named __proto__ is counted like any other", async (t) => {
  const client = await start(t, [feature("a")]);
  client.evaluate("__proto__");
  await withoutTimeouts(t, () => client.close());
  assert.match(requests()[0], /"evaluations":\{"__proto__":\{"off":1\}\}/);
});

test("with insights: false, and offline, nothing is counted", async (t) => {
  for (const config of [{ insights: false }, { offline: true, defaultFeatures: { a: "on" } }]) {
    const client = await start(t, [feature("a")], config);
    client.evaluate("a");
    await client.close();
    assert.deepEqual(requests(), []);
    assert.deepEqual(client.messages, []);
  }
  const client = await start(t, [feature("a")], { insights: "no" });
  assert.match(client.messages.join(), /config\.insights is ignored: it must be true or false/);
});
