// Participations: which evaluations are reported as taking part in an experiment, and with which goals.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { nextEvent, startWithRules } from "../../tests/support/node/built-sdk.mjs";
import { everyone, FakeService, feature, nearlyEveryone } from "../../tests/support/node/fake-service.mjs";
import { withoutTimeouts } from "../../tests/support/node/mocked-timeouts.mjs";

const ALICE = { id: "alice", attributes: { country: "SE" } };
const BOB = { id: "bob" };
const FROM_SWEDEN = { audience: [{ attribute: "country", operator: "equals", values: ["SE"] }] };
/** A feature whose experiment has all users. */
const IN_EXPERIMENT = feature("a", [nearlyEveryone("on")], { experiment: {} });

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

beforeEach(async () => {
  await service.waitForStreams(0);
  service.requests = [];
  service.handlers = {};
});

/** A client with these rules, which counts no evaluations. */
const start = (t, features, config) => startWithRules(t, service, features, { insights: false, ...config });

/** The bodies of the requests with goals and participations. */
const bodies = () =>
  service.requests.filter(({ url }) => url === "/server/v1/goals").map(({ body }) => JSON.parse(body));

const participation = (variant, userId, key = "a") => ({ feature: key, variant, userId });

test("a participation is sent once for each user, feature and variant, of those in the audience whom a rule splits", async (t) => {
  const experiments = [IN_EXPERIMENT, feature("b")];
  experiments.push(feature("c", [nearlyEveryone("on")], { experiment: FROM_SWEDEN }));
  experiments.push(feature("same for all", undefined, { experiment: {} }));
  const client = await start(t, experiments);
  for (let time = 0; time < 2; time++) {
    for (const user of [ALICE, BOB])
      for (const key of ["a", "b", "c", "same for all", "unknown"]) client.evaluate(key, user);
  }
  client.evaluateAll({ id: "carol" });
  client.bootstrap({ id: "carol" });
  await withoutTimeouts(t, () => client.close());
  const expected = [participation("on", "alice"), participation("on", "alice", "c"), participation("on", "bob")];
  assert.deepEqual(bodies(), [{ participations: expected }]);
});

test("a participation names the segment of the first value that the user's attribute equals", async (t) => {
  const segments = { attribute: "country", values: ["NO", "SE"] };
  const client = await start(t, [feature("a", [nearlyEveryone("on")], { experiment: { segments } })]);
  for (const user of [ALICE, BOB]) client.evaluate("a", user);
  await withoutTimeouts(t, () => client.close());
  const expected = [participation("on", "alice", "a/2"), participation("on", "bob")];
  assert.deepEqual(bodies(), [{ participations: expected }]);
});

test("the next run with a feature is another participation, also of a user who has the same variant", async (t) => {
  const of = (run) => feature("a", [nearlyEveryone("on")], { experiment: { run } });
  const client = await start(t, [of(7)], { streaming: true });
  await service.waitForStreams(1);
  for (let time = 0; time < 2; time++) client.evaluate("a", BOB);
  const updated = nextEvent(client, "UPDATED_FEATURE");
  const data = JSON.stringify({ features: [of(8)], gone: [] });
  service.send(`event: patch\nid: 00000000000000aa.2.2\ndata: ${data}\n\n`);
  await updated;
  for (let time = 0; time < 2; time++) client.evaluate("a", BOB);
  await withoutTimeouts(t, () => client.close());
  assert.deepEqual(
    bodies().flatMap(({ participations }) => participations),
    [participation("on", "bob", "a/0/7"), participation("on", "bob", "a/0/8")],
  );
});

test("another variant is another participation, and an experiment that ends has none", async (t) => {
  const client = await start(t, [IN_EXPERIMENT], { streaming: true });
  await service.waitForStreams(1);
  client.evaluate("a", BOB);
  let version = 1;
  const change = async (message) => {
    version += 1;
    const updated = nextEvent(client, "UPDATED_FEATURE");
    const data = JSON.stringify({ features: [message], gone: [] });
    service.send(`event: patch\nid: 00000000000000aa.${version}.${version}\ndata: ${data}\n\n`);
    await updated;
  };
  await change(feature("a", [nearlyEveryone("blue")], { experiment: FROM_SWEDEN }));
  client.evaluate("a", BOB);
  client.evaluate("a", ALICE);
  await change(feature("a", [everyone("red")]));
  client.evaluate("a", ALICE);
  await withoutTimeouts(t, () => client.close());
  assert.deepEqual(
    bodies().flatMap(({ participations }) => participations),
    [participation("on", "bob"), participation("blue", "alice")],
  );
});

test("defaults are not reported", async (t) => {
  service.handlers["/server/v1/rules"] = (_, response) => response.writeHead(503).end();
  const client = await start(t, [IN_EXPERIMENT], { defaultFeatures: { a: "on" } });
  assert.equal(client.evaluate("a", ALICE).value(), "on");
  await client.close();
  assert.deepEqual(bodies(), []);
});

test("a goal that was reached before a participation is in an earlier request", async (t) => {
  const client = await start(t, [IN_EXPERIMENT]);
  client.on("EVALUATION", () => client.goal("of a listener", BOB));
  client.goal("before", BOB);
  client.evaluate("a", BOB);
  client.goal("after", BOB);
  await withoutTimeouts(t, () => client.close());
  assert.deepEqual(
    bodies().map(({ participations, goals }) => [participations, goals.map(({ key }) => key)]),
    [
      [undefined, ["before"]],
      [[participation("on", "bob")], ["of a listener", "after"]],
    ],
  );
});

test("participations that the service rejects are reported and dropped, others are sent again", async (t) => {
  const client = await start(t, [IN_EXPERIMENT]);
  const answers = [503, 422];
  const last = new Promise((resolve) => {
    service.handlers["/server/v1/goals"] = (_, response) => {
      response.writeHead(answers.shift() ?? 202).end("{}");
      if (answers.length === 0) resolve();
    };
  });
  client.evaluate("a", BOB);
  await last;
  await withoutTimeouts(t, () => client.close());
  assert.deepEqual(bodies(), Array(2).fill({ participations: [participation("on", "bob")] }));
  assert.match(client.messages.join(), /Dropped a participation in "a": .*422/);
});

test("a user id that the service would refuse costs no participation of others, and is logged once", async (t) => {
  const client = await start(t, [IN_EXPERIMENT]);
  const refused = [{ id: "i".repeat(1_001) }, { id: "j".repeat(1_001) }, { id: "nul\0" }];
  for (const user of [...refused, BOB, { id: "half a pair \ud83d" }]) {
    for (let time = 0; time < 2; time++) client.evaluate("a", user);
  }
  await withoutTimeouts(t, () => client.close());
  const expected = [participation("on", "bob"), participation("on", "half a pair \ufffd")];
  assert.deepEqual(bodies(), [{ participations: expected }]);
  assert.deepEqual(client.messages, [
    'FlagService: A participation in "a" was not sent: user.id has more than 1000 characters.',
    'FlagService: A participation in "a" was not sent: user.id has a NUL character.',
  ]);
});

test("participations are sent in requests of at most 100, and the last 10,000 are remembered", async (t) => {
  const client = await start(t, [IN_EXPERIMENT]);
  const sentParticipations = () => bodies().flatMap(({ participations }) => participations);
  for (let number = 0; number <= 10_000; number++) {
    client.evaluate("a", { id: `user-${number}` });
    // The queue would drop what it has no room for, and closing waits only for some seconds.
    if (number % 1_000 === 999) await service.waitUntil(() => sentParticipations().length > number);
  }
  client.evaluate("a", { id: "user-10000" });
  client.evaluate("a", { id: "user-0" });
  await withoutTimeouts(t, () => client.close());
  const sent = sentParticipations();
  assert.ok(bodies().every(({ participations }) => participations.length <= 100));
  assert.equal(sent.length, 10_002);
  assert.deepEqual(sent.at(-1), participation("on", "user-0"));
});

test("an offline or closed client reports nothing", async (t) => {
  const offline = await start(t, [], { offline: true, defaultFeatures: { a: "on" } });
  offline.evaluate("a", BOB);
  await offline.close();
  const client = await start(t, [IN_EXPERIMENT]);
  await client.close();
  assert.equal(client.evaluate("a", BOB).value(), "on");
  await client.close();
  assert.deepEqual(bodies(), []);
});
