// Events: the raw evaluation event, and what is told of the rules.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { FlagService, nextEvent, recordingLogger } from "../../tests/support/node/built-sdk.mjs";
import { everyone, FakeService, feature } from "../../tests/support/node/fake-service.mjs";

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

async function started(t, features, config) {
  service.rules = { since: "00000000000000aa.1.1", features };
  await service.open(0);
  const logger = recordingLogger();
  const client = FlagService.init("srv-key", { baseUrl: service.base, streaming: false, logger, ...config });
  t.after(() => client.close());
  return Object.assign(client, { said: logger.said });
}

test("each time a variant is read the event tells key, variant, value and user", async (t) => {
  const client = await started(t, [feature("a"), feature("c", [everyone("blue")])]);
  await client.ready();
  const heard = [];
  client.on(FlagService.events.EVALUATION, (event) => heard.push(event));
  const alice = { id: "alice", attributes: { country: "SE", plans: ["pro"] } };
  client.evaluate("a", alice).isOn();
  client.evaluate("a", alice).isOn();
  client.evaluate("c", { id: "bob" });
  client.evaluate("unknown", { id: "bob" });
  assert.deepEqual(heard, [
    { key: "a", variant: "on", value: "on", user: alice },
    { key: "a", variant: "on", value: "on", user: alice },
    { key: "c", variant: "blue", value: "blue", user: { id: "bob" } },
    { key: "unknown", variant: "off", value: "off", user: { id: "bob" } },
  ]);
  // The browser client's evaluateAll fires none either, and a goal reads for the service alone.
  client.evaluateAll(alice);
  client.bootstrap(alice);
  client.goal("purchase", alice);
  assert.equal(heard.length, 4);
});

test("a listener that throws is logged and swallowed, and those after it still run", async (t) => {
  const client = await started(t, [feature("a")]);
  await client.ready();
  const heard = [];
  client.on("EVALUATION", () => {
    throw new Error("broken");
  });
  client.on("EVALUATION", ({ key }) => heard.push(key));
  assert.equal(client.evaluate("a", { id: "alice" }).value(), "on");
  assert.deepEqual(heard, ["a"]);
  assert.deepEqual(client.said, ["FlagService: A listener of EVALUATION has thrown an error."]);
});

test("a listener may call the client", async (t) => {
  const client = await started(t, [feature("a"), feature("b")]);
  await client.ready();
  const heard = [];
  client.on(
    "EVALUATION",
    function ({ key }) {
      heard.push([key, client.evaluate("b", { id: "bob" }).value(), this.bound]);
    },
    { bound: true },
  );
  client.evaluate("a", { id: "alice" });
  assert.deepEqual(heard, [
    ["b", "on", true],
    ["a", "on", true],
  ]);
  client.off("EVALUATION");
  client.evaluate("a", { id: "alice" });
  assert.equal(heard.length, 2);
});

test("INIT tells all features once the rules are there, and reaches who listens in the same step as init", async (t) => {
  const client = await started(t, [feature("a"), feature("b")]);
  assert.deepEqual(await nextEvent(client, "INIT"), ["a", "b"]);
});

test("UPDATED_FEATURE tells exactly the features whose rules are others", async (t) => {
  const [a, b, c] = ["a", "b", "c"].map((key) => feature(key));
  const client = await started(t, [a, b, c], { streaming: true });
  await service.open(1);
  const updated = nextEvent(client, "UPDATED_FEATURE");
  const event = (name, since, data) => `event: ${name}\nid: ${since}\ndata: ${JSON.stringify(data)}\n\n`;
  const off = feature("b", [everyone("off")]);
  service.send(event("patch", "00000000000000aa.2.2", { features: [off], gone: ["c"] }));
  assert.deepEqual((await updated).sort(), ["b", "c"]);
  assert.deepEqual(client.evaluateAll({ id: "alice" }), { a: "on", b: "off" });

  // Of a lower version of the same epoch nothing counts; all that another epoch sends does.
  service.send(event("patch", "00000000000000aa.1.1", { features: [], gone: ["a", "b"] }));
  const replaced = nextEvent(client, "UPDATED_FEATURE");
  const rules = { since: "00000000000000bb.1.3", features: [a, off, feature("d")] };
  service.send(event("put", rules.since, rules));
  assert.deepEqual(await replaced, ["d"]);
  assert.deepEqual(client.evaluateAll({ id: "alice" }), { a: "on", b: "off", d: "on" });
});

test("events come through however the bytes are cut, with any end of line, beside comments", async (t) => {
  const client = await started(t, [], { streaming: true });
  await service.open(1);
  const data = JSON.stringify({ features: [feature("ü-none"), feature("a")], gone: [] });
  for (const [version, end] of [
    [2, "\n"],
    [3, "\r\n"],
    [4, "\r"],
  ]) {
    const updated = nextEvent(client, "UPDATED_FEATURE");
    const lines = [": comment", "retry: 5", "event:patch", `id:00000000000000aa.${version}.1`, `data: ${data}`, "", ""];
    const bytes = Buffer.from(lines.join(end));
    for (let place = 0; place < bytes.length; place += 7) {
      service.send(bytes.subarray(place, place + 7));
      await new Promise(setImmediate);
    }
    assert.deepEqual(await updated, ["a"], JSON.stringify(end));
  }
});
