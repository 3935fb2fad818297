// Nothing that goes wrong reaches the application, and the client comes back by itself.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { FlagService, nextEvent, recordingLogger } from "../../tests/support/node/built-sdk.mjs";
import { FakeService, feature } from "../../tests/support/node/fake-service.mjs";

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

beforeEach(async () => {
  await service.open(0);
  service.requests = [];
  service.instead = {};
  service.rules = { since: "00000000000000aa.1.1", features: [feature("a")] };
});

function start(t, config = {}) {
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, logger, ...config });
  t.after(() => client.close());
  return Object.assign(client, { said: logger.said });
}

test("init throws a TypeError without a server key, and nothing else makes it throw", async (t) => {
  for (const key of [undefined, null, "", "  ", 7]) assert.throws(() => FlagService.init(key), TypeError);
  const logger = recordingLogger();
  const odd = { baseUrl: "no address", streaming: 1, pollInterval: 5, offline: "no", file: 7, defaultFeatures: [] };
  for (const config of [odd, 7, [], null]) {
    const client = FlagService.init("srv-key", Array.isArray(config) ? config : config && { ...config, logger });
    t.after(() => client.close());
    assert.equal(await client.ready(), false);
    assert.equal(client.evaluate("a", { id: "alice" }).value(), "off");
  }
  for (const name of Object.keys(odd)) {
    assert.ok(
      logger.said.some((message) => message.includes(`config.${name} is ignored`)),
      name,
    );
  }
});

test("offline nothing is asked, and defaultFeatures are all there is", async (t) => {
  const client = start(t, { offline: true, defaultFeatures: { a: "blue" } });
  assert.deepEqual(await nextEvent(client, "INIT"), ["a"]);
  assert.equal(await client.ready(), true);
  assert.equal(client.evaluate("a", { id: "alice" }).value(), "blue");
  client.goal("purchase", { id: "alice" });
  await client.close();
  assert.deepEqual(service.requests, []);
});

test("the key travels in a header, and in no address", async (t) => {
  const client = start(t);
  client.goal("purchase", { id: "alice" });
  await service.open(1);
  await client.close();
  assert.deepEqual([...new Set(service.requests.map(({ url }) => url.split("?")[0]))].sort(), [
    "/server/v1/goals",
    "/server/v1/rules",
    "/server/v1/stream",
  ]);
  for (const { url, headers } of service.requests) {
    assert.equal(headers.authorization, "Bearer srv-key");
    assert.equal(url.includes("srv-"), false);
  }
});

test("a redirect is not followed: it would take the key elsewhere", async (t) => {
  service.instead["/server/v1/rules"] = (_, response) => response.writeHead(302, { location: "/elsewhere" }).end();
  const client = start(t);
  assert.equal(await client.ready(), false);
  assert.equal(
    service.requests.some(({ url }) => url === "/elsewhere"),
    false,
  );
});

test("an answer that holds no rules is reported, and the rules stay as they are", async (t) => {
  const client = start(t, { streaming: false, pollInterval: 1_000 });
  await client.ready();
  for (const text of ["<!doctype html>", "null", '{"features":[]}', ""]) {
    const error = nextEvent(client, "ERROR");
    service.instead["/server/v1/rules"] = (_, response) => response.writeHead(200).end(text);
    assert.match(await error, /holds no rules/, text);
    assert.equal(client.evaluate("a", { id: "alice" }).value(), "on");
    const loaded = nextEvent(client, "UPDATED_FEATURE");
    service.instead = {};
    const version = Number(service.rules.since.split(".")[1]) + 1;
    service.rules = { since: `00000000000000aa.${version}.1`, features: [feature("a"), feature(`b${version}`)] };
    await loaded;
  }
});

test("after 50 s of silence it connects again, and a beat is a sign of life", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  start(t);
  await service.open(1);
  const streams = () => service.requests.filter(({ url }) => url.startsWith("/server/v1/stream")).length;
  t.mock.timers.tick(49_000);
  service.send("event: beat\ndata: {}\n\n");
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.equal(streams(), 1);
  t.mock.timers.tick(60_000);
  await service.open(0);
  const again = service.open(1);
  // The wait of a failure, which is random.
  for (let second = 0; second < 60 && streams() === 1; second++) {
    t.mock.timers.tick(1_000);
    await new Promise(setImmediate);
  }
  await again;
  assert.equal(streams(), 2);
});

test("where no stream opens it asks again and again", async (t) => {
  service.instead["/server/v1/stream"] = (_, response) => response.writeHead(503).end();
  const client = start(t);
  await client.ready();
  const updated = nextEvent(client, "UPDATED_FEATURE");
  service.rules = { since: "00000000000000aa.2.2", features: [feature("a"), feature("b")] };
  assert.deepEqual(await updated, ["b"]);
});

test("goals that the service refuses for good are reported and dropped, others are sent again", async (t) => {
  const client = start(t, { streaming: false });
  await client.ready();
  let answers = [503, 422];
  const last = new Promise((resolve) => {
    service.instead["/server/v1/goals"] = (_, response) => {
      response.writeHead(answers.shift() ?? 202).end("{}");
      if (answers.length === 0) resolve();
    };
  });
  client.goal("purchase", { id: "alice" });
  await last;
  await client.close();
  const sent = service.requests
    .filter(({ url }) => url === "/server/v1/goals")
    .map(({ body }) => JSON.parse(body).goals);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1], "the same goal, with the same id");
  assert.deepEqual(sent[0][0], { id: sent[0][0].id, key: "purchase", userId: "alice", features: { a: "on" } });
  assert.match(client.said.join(), /1 goals are lost: .*422/);
  answers = [];
});

test("many goals go in as few requests as they fit in", async (t) => {
  const client = start(t, { streaming: false });
  await client.ready();
  for (let number = 0; number < 250; number++) client.goal("purchase", { id: `user-${number}` });
  await client.close();
  const bodies = service.requests
    .filter(({ url }) => url === "/server/v1/goals")
    .map(({ body }) => JSON.parse(body).goals);
  assert.deepEqual(
    bodies.map(({ length }) => length),
    [100, 100, 50],
  );
  assert.equal(new Set(bodies.flat().map(({ id }) => id)).size, 250);
});

test("after close it still answers, and nothing moves any more", async (t) => {
  const client = start(t);
  await service.open(1);
  const heard = [];
  for (const event of Object.keys(FlagService.events)) client.on(event, () => heard.push(event));
  await client.close();
  await service.open(0);
  heard.length = 0;
  assert.equal(client.evaluate("a", { id: "alice" }).value(), "on");
  client.goal("purchase", { id: "alice" });
  client.on("EVALUATION", () => heard.push("late"));
  client.evaluate("a", { id: "alice" });
  await client.close();
  assert.deepEqual(heard, []);
  assert.equal(
    service.requests.some(({ url }) => url === "/server/v1/goals"),
    false,
  );
});
