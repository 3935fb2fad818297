// Failures never reach the application, and the client recovers by itself.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { FlagService, nextEvent, recordingLogger } from "../../tests/support/node/built-sdk.mjs";
import { FakeService, feature } from "../../tests/support/node/fake-service.mjs";
import { mockTimeouts, withoutTimeouts } from "../../tests/support/node/mocked-timeouts.mjs";

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

beforeEach(async () => {
  await service.waitForStreams(0);
  service.requests = [];
  service.handlers = {};
  service.rules = { since: "00000000000000aa.1.1", features: [feature("a")] };
});

function start(t, config = {}) {
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, logger, ...config });
  t.after(() => client.close());
  return Object.assign(client, { messages: logger.said });
}

test("init throws a TypeError without a server key, and for no other reason", async (t) => {
  for (const key of [undefined, null, "", "  ", 7]) assert.throws(() => FlagService.init(key), TypeError);
  const logger = recordingLogger();
  const invalid = { baseUrl: "no URL", streaming: 1, pollInterval: 5, offline: "no", file: 7, defaultFeatures: [] };
  for (const config of [invalid, 7, [], null]) {
    const client = FlagService.init("srv-key", Array.isArray(config) ? config : config && { ...config, logger });
    t.after(() => client.close());
    assert.equal(await client.ready(), false);
    assert.equal(client.evaluate("a", { id: "alice" }).value(), "off");
  }
  for (const name of Object.keys(invalid)) {
    assert.ok(
      logger.said.some((message) => message.includes(`config.${name} is ignored`)),
      name,
    );
  }
});

test("settings that throw when they are read are ignored", async (t) => {
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const warned = t.mock.method(console, "warn", () => {});
  const logger = {
    get warn() {
      throw new Error("no");
    },
  };
  for (const config of [revoked, { offline: true, logger, defaultFeatures: revoked }]) {
    const client = FlagService.init("srv-key", config);
    t.after(() => client.close());
    assert.equal(client.evaluate("a", { id: "alice" }).value(), "off");
  }
  const ignored = warned.mock.calls.map(({ arguments: [message] }) => message.match(/config(\.\w+)? is ignored/)[0]);
  assert.deepEqual(ignored, [
    ...["config is ignored", "config.logger is ignored", "config.defaultFeatures is ignored"],
  ]);
});

test("a baseUrl that cannot work is refused, and what is said of it has no secret", async (t) => {
  const { host } = new URL(service.base);
  const hidden = [`user:secret@${host}`, `secret@${host}`, `:secret@${host}`, `${host}/?secret`, `${host}/#secret`];
  const blanks = [` http://${host}`, `http://${host} `, `http://${host}\n`, `http://${host}/\u0001`];
  for (const baseUrl of [...hidden.map((rest) => `http://${rest}`), ...blanks, `http://${host}?`, `ftp://${host}`]) {
    const client = start(t, { baseUrl });
    assert.equal(await client.ready(), false, baseUrl);
    assert.match(client.messages[0], /config\.baseUrl is ignored: it must be a URL without blanks, user name, query/);
    assert.equal(client.messages.join().includes("secret"), false, baseUrl);
  }
  for (const baseUrl of [`${service.base}/`, `HTTP://${host}`])
    assert.equal(await start(t, { baseUrl, streaming: false }).ready(), true);
});

test("a server key that no header can hold is reported without it, and not used", async (t) => {
  for (const key of ["srv-one\nsrv-two", "srv-ö", "srv-one srv-two", "srv-\0"]) {
    const logger = recordingLogger();
    const client = FlagService.init(key, { baseUrl: service.base, logger });
    t.after(() => client.close());
    assert.match(await nextEvent(client, "ERROR"), /^The server key is not used: .* visible ASCII/);
    assert.equal(await client.ready(), false);
    client.goal("purchase", { id: "alice" });
    await client.close();
    assert.equal(logger.said.length, 1);
    assert.doesNotMatch(logger.said[0], /srv-one|two|ö|\0/);
  }
  assert.deepEqual(service.requests, []);
});

test("an offline client sends no requests and uses only defaultFeatures", async (t) => {
  const client = start(t, { offline: true, defaultFeatures: { a: "blue" } });
  assert.deepEqual(await nextEvent(client, "INIT"), ["a"]);
  assert.equal(await client.ready(), true);
  assert.equal(client.evaluate("a", { id: "alice" }).value(), "blue");
  client.goal("purchase", { id: "alice" });
  await client.close();
  assert.deepEqual(service.requests, []);
});

test("the key is sent in a header and never in a URL", async (t) => {
  const client = start(t);
  client.goal("purchase", { id: "alice" });
  await service.waitForStreams(1);
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

test("redirects are not followed, because they would send the key to another server", async (t) => {
  service.handlers["/server/v1/rules"] = (_, response) => response.writeHead(302, { location: "/elsewhere" }).end();
  const client = start(t);
  assert.equal(await client.ready(), false);
  assert.equal(
    service.requests.some(({ url }) => url === "/elsewhere"),
    false,
  );
});

test("an invalid response is reported, and the rules stay in force", async (t) => {
  const client = start(t, { streaming: false, pollInterval: 1_000 });
  await client.ready();
  for (const text of ["<!doctype html>", "null", '{"features":[]}', ""]) {
    const error = nextEvent(client, "ERROR");
    service.handlers["/server/v1/rules"] = (_, response) => response.writeHead(200).end(text);
    assert.match(await error, /contains no rules/, text);
    assert.equal(client.evaluate("a", { id: "alice" }).value(), "on");
    const loaded = nextEvent(client, "UPDATED_FEATURE");
    service.handlers = {};
    const version = Number(service.rules.since.split(".")[1]) + 1;
    service.rules = { since: `00000000000000aa.${version}.1`, features: [feature("a"), feature(`b${version}`)] };
    await loaded;
  }
});

// That a heartbeat restarts the timeout is a case of tests/contract: node:test's timers cannot be restarted.
test("it reconnects after 50 s of silence", async (t) => {
  mockTimeouts(t);
  // The reconnect delay is random.
  t.mock.method(Math, "random", () => 0);
  start(t);
  await service.waitForStreams(1);
  const streamRequests = () => service.requests.filter(({ url }) => url.startsWith("/server/v1/stream")).length;
  t.mock.timers.tick(49_000);
  assert.equal(streamRequests(), 1);
  t.mock.timers.tick(1_000);
  await service.waitForStreams(0);
  t.mock.timers.tick(1);
  await service.waitForStreams(1);
  assert.equal(streamRequests(), 2);
});

test("it polls while no stream can be opened", async (t) => {
  service.handlers["/server/v1/stream"] = (_, response) => response.writeHead(503).end();
  const client = start(t);
  await client.ready();
  const updated = nextEvent(client, "UPDATED_FEATURE");
  service.rules = { since: "00000000000000aa.2.2", features: [feature("a"), feature("b")] };
  assert.deepEqual(await updated, ["b"]);
});

test("an outage is reported once, whatever the responses are, and the next one again", async (t) => {
  const client = start(t, { streaming: false, pollInterval: 1_000 });
  await client.ready();
  t.mock.method(Math, "random", () => 0);
  const errors = [];
  client.on("ERROR", (message) => errors.push(message));
  for (const version of [2, 3]) {
    const statuses = [502, 503, 502, 503];
    service.handlers["/server/v1/rules"] = (_, response) => {
      response.writeHead(statuses.shift()).end();
      if (statuses.length > 0) return;
      service.handlers = {};
      service.rules = { since: `00000000000000aa.${version}.1`, features: [feature("a"), feature(`b${version}`)] };
    };
    await nextEvent(client, "UPDATED_FEATURE");
  }
  assert.deepEqual(errors, Array(2).fill("The rules cannot be updated: Loading the rules failed with status 502."));
});

test("refused streams are reported once, until one opens", async (t) => {
  t.mock.method(Math, "random", () => 0);
  let statuses = [403, 503, 403];
  const refuse = (_, response) => {
    response.writeHead(statuses.shift()).end();
    if (statuses.length === 0) service.handlers = {};
  };
  service.handlers["/server/v1/stream"] = refuse;
  const client = start(t);
  const errors = [];
  client.on("ERROR", (message) => errors.push(message));
  await service.waitForStreams(1);
  assert.deepEqual(errors, ["The rules cannot be updated: Opening the stream failed with status 403."]);
  statuses = [503];
  service.handlers["/server/v1/stream"] = refuse;
  const error = nextEvent(client, "ERROR");
  service.send("event: reload\ndata: {}\n\n");
  assert.match(await error, /stream failed with status 503/);
});

const POLL_MS = 86_400_000;

/** Lets no time pass while a client waits to start over. Returns the milliseconds that it would have waited. */
function skipPauses(t) {
  const pauses = [];
  const { setTimeout } = globalThis;
  t.mock.method(Math, "random", () => 0);
  t.mock.method(globalThis, "setTimeout", (call, ms) => {
    // A pause resolves a promise. Timeouts have functions of their own.
    if (!String(call).includes("[native code]")) return setTimeout(call, ms);
    pauses.push(ms);
    return setTimeout(call, ms === POLL_MS ? ms : 0);
  });
  return pauses;
}

test("it waits as long as Retry-After says, in seconds and at most a minute", async (t) => {
  const values = ["5", "60", "61", "3600", "2592000", "Infinity", "-5", "Fri, 31 Dec 2100 23:59:59 GMT"];
  const pauses = skipPauses(t);
  const left = [...values];
  service.handlers["/server/v1/rules"] = (_, response) => {
    response.writeHead(503, { "retry-after": left.shift() }).end();
    if (left.length === 0) service.handlers = {};
  };
  await nextEvent(start(t, { streaming: false, pollInterval: POLL_MS }), "INIT");
  assert.deepEqual(pauses.slice(0, values.length), [5_000, ...Array(5).fill(60_000), 0, 0]);
});

test("no delay is longer than a timer can hold", async (t) => {
  const pauses = skipPauses(t);
  start(t);
  await service.waitForStreams(1);
  service.send(`event: reload\ndata: {"afterMs":${2 ** 40}}\n\n`);
  await service.waitForStreams(0);
  await service.waitForStreams(1);
  assert.deepEqual(pauses, [2 ** 31 - 1]);
  for (const pollInterval of [2 ** 31 - 1, 2 ** 31, 2_592_000_000, Number.POSITIVE_INFINITY, Number.NaN]) {
    const { messages } = start(t, { offline: true, pollInterval });
    const refused = "FlagService: config.pollInterval is ignored: it must be a number from 1000 to 2147483647.";
    assert.deepEqual(messages, pollInterval === 2 ** 31 - 1 ? [] : [refused], `${pollInterval}`);
  }
});

test("goals that the service rejects are reported and dropped, others are sent again", async (t) => {
  const client = start(t, { streaming: false });
  await client.ready();
  let answers = [503, 422];
  const last = new Promise((resolve) => {
    service.handlers["/server/v1/goals"] = (_, response) => {
      response.writeHead(answers.shift() ?? 202).end("{}");
      if (answers.length === 0) resolve();
    };
  });
  client.goal("purchase", { id: "alice" });
  await last;
  await withoutTimeouts(t, () => client.close());
  const sent = service.requests
    .filter(({ url }) => url === "/server/v1/goals")
    .map(({ body }) => JSON.parse(body).goals);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1], "the same goal, with the same id");
  assert.deepEqual(sent[0][0], { id: sent[0][0].id, key: "purchase", userId: "alice", features: { a: "on" } });
  assert.match(client.messages.join(), /Dropped goal "purchase": .*422/);
  answers = [];
});

test("goals are sent in as few requests as possible", async (t) => {
  const client = start(t, { streaming: false });
  await client.ready();
  for (let number = 0; number < 250; number++) client.goal("purchase", { id: `user-${number}` });
  await withoutTimeouts(t, () => client.close());
  const bodies = service.requests
    .filter(({ url }) => url === "/server/v1/goals")
    .map(({ body }) => JSON.parse(body).goals);
  assert.deepEqual(
    bodies.map(({ length }) => length),
    [100, 100, 50],
  );
  assert.equal(new Set(bodies.flat().map(({ id }) => id)).size, 250);
});

test("after close it still evaluates, but fires no events and sends nothing", async (t) => {
  const client = start(t);
  await service.waitForStreams(1);
  const events = [];
  for (const event of Object.keys(FlagService.events)) client.on(event, () => events.push(event));
  await client.close();
  await service.waitForStreams(0);
  events.length = 0;
  assert.equal(client.evaluate("a", { id: "alice" }).value(), "on");
  client.goal("purchase", { id: "alice" });
  client.on("EVALUATION", () => events.push("late"));
  client.evaluate("a", { id: "alice" });
  await client.close();
  assert.deepEqual(events, []);
  assert.equal(
    service.requests.some(({ url }) => url === "/server/v1/goals"),
    false,
  );
});
