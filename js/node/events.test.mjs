// Events: evaluations, and changes of the rules.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { FlagService, nextEvent, recordingLogger } from "../../tests/support/node/built-sdk.mjs";
import { everyone, FakeService, feature } from "../../tests/support/node/fake-service.mjs";

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

async function startClient(t, features, config) {
  service.rules = { since: "00000000000000aa.1.1", features };
  await service.waitForStreams(0);
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, streaming: false, logger, ...config });
  t.after(() => client.close());
  return Object.assign(client, { messages: logger.said });
}

test("each evaluation fires an event with key, variant, value and user", async (t) => {
  const client = await startClient(t, [feature("a"), feature("c", [everyone("blue")])]);
  await client.ready();
  const events = [];
  client.on(FlagService.events.EVALUATION, (event) => events.push(event));
  const alice = { id: "alice", attributes: { country: "SE", plans: ["pro"] } };
  client.evaluate("a", alice).isOn();
  client.evaluate("a", alice).isOn();
  client.evaluate("c", { id: "bob" });
  client.evaluate("unknown", { id: "bob" });
  assert.deepEqual(events, [
    { key: "a", variant: "on", value: "on", user: alice },
    { key: "a", variant: "on", value: "on", user: alice },
    { key: "c", variant: "blue", value: "blue", user: { id: "bob" } },
    { key: "unknown", variant: "off", value: "off", user: { id: "bob" } },
  ]);
  // As in the browser client, these methods fire no event.
  client.evaluateAll(alice);
  client.bootstrap(alice);
  client.goal("purchase", alice);
  assert.equal(events.length, 4);
});

test("an error in a listener is logged, and later listeners still run", async (t) => {
  const client = await startClient(t, [feature("a")]);
  await client.ready();
  const events = [];
  client.on("EVALUATION", () => {
    throw new Error("broken");
  });
  client.on("EVALUATION", ({ key }) => events.push(key));
  assert.equal(client.evaluate("a", { id: "alice" }).value(), "on");
  assert.deepEqual(events, ["a"]);
  assert.deepEqual(client.messages, ["FlagService: A listener of EVALUATION threw an error."]);
});

test("a listener may evaluate all features: within one evaluation each fires once", async (t) => {
  const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const client = await startClient(
    t,
    keys.map((key) => feature(key)),
  );
  await client.ready();
  const events = [];
  client.on("EVALUATION", ({ key }) => {
    events.push(key);
    for (const other of keys) assert.equal(client.evaluate(other).value(), "on");
  });
  client.evaluate("a");
  assert.deepEqual(events, keys);
  client.evaluate("a");
  assert.deepEqual(events, [...keys, ...keys]);
});

test("what an async listener rejects with is logged, and an async logger that rejects has no effect", async (t) => {
  const rejects = async () => {
    throw new Error("broken");
  };
  const client = await startClient(t, [feature("a")]);
  const other = await startClient(t, [feature("a")], { logger: { warn: rejects, error: rejects } });
  await Promise.all([client.ready(), other.ready()]);
  for (const { on, evaluate } of [client, other]) {
    on("EVALUATION", rejects);
    assert.equal(evaluate("a", { id: "alice" }).value(), "on");
  }
  // An unhandled rejection would fail this test.
  await new Promise(setImmediate);
  assert.deepEqual(client.messages, ["FlagService: A listener of EVALUATION threw an error."]);
});

test("a listener may call the client", async (t) => {
  const client = await startClient(t, [feature("a"), feature("b")]);
  await client.ready();
  const events = [];
  client.on(
    "EVALUATION",
    function ({ key }) {
      events.push([key, client.evaluate("b", { id: "bob" }).value(), this.bound]);
    },
    { bound: true },
  );
  client.evaluate("a", { id: "alice" });
  assert.deepEqual(events, [
    ["b", "on", true],
    ["a", "on", true],
  ]);
  client.off("EVALUATION");
  client.evaluate("a", { id: "alice" });
  assert.equal(events.length, 2);
});

test("INIT lists all features, and reaches listeners added right after init", async (t) => {
  const client = await startClient(t, [feature("a"), feature("b")]);
  assert.deepEqual(await nextEvent(client, "INIT"), ["a", "b"]);
});

test("UPDATED_FEATURE lists exactly the features whose rules changed", async (t) => {
  const [a, b, c] = ["a", "b", "c"].map((key) => feature(key));
  const client = await startClient(t, [a, b, c], { streaming: true });
  await service.waitForStreams(1);
  const updated = nextEvent(client, "UPDATED_FEATURE");
  const event = (name, since, data) => `event: ${name}\nid: ${since}\ndata: ${JSON.stringify(data)}\n\n`;
  const off = feature("b", [everyone("off")]);
  service.send(event("patch", "00000000000000aa.2.2", { features: [off], gone: ["c"] }));
  assert.deepEqual((await updated).sort(), ["b", "c"]);
  assert.deepEqual(client.evaluateAll({ id: "alice" }), { a: "on", b: "off" });

  // A lower version of the same epoch is ignored. Any version of another epoch is accepted.
  service.send(event("patch", "00000000000000aa.1.1", { features: [], gone: ["a", "b"] }));
  const replaced = nextEvent(client, "UPDATED_FEATURE");
  const rules = { since: "00000000000000bb.1.3", features: [a, off, feature("d")] };
  service.send(event("put", rules.since, rules));
  assert.deepEqual(await replaced, ["d"]);
  assert.deepEqual(client.evaluateAll({ id: "alice" }), { a: "on", b: "off", d: "on" });
});

test("stream events are read whatever the chunks and line endings, and beside comments", async (t) => {
  const client = await startClient(t, [], { streaming: true });
  await service.waitForStreams(1);
  const data = JSON.stringify({ features: [feature("ü-none"), feature("a")], gone: [] });
  for (const [version, end] of [
    [2, "\n"],
    [3, "\r\n"],
    [4, "\r"],
  ]) {
    const updated = nextEvent(client, "UPDATED_FEATURE");
    const lines = [": comment", "retry: 5", "event:patch", `id:00000000000000aa.${version}.1`, `data: ${data}`, "", ""];
    // The parser handles a final CR together with the next byte, because it could be the first half of CRLF.
    const bytes = Buffer.from(`${lines.join(end)}:${end}`);
    for (let start = 0; start < bytes.length; start += 7) {
      service.send(bytes.subarray(start, start + 7));
      await new Promise(setImmediate);
    }
    assert.deepEqual(await updated, ["a"], JSON.stringify(end));
  }
});
