// Evaluations leak no memory, and streams leak no connections. FLAGSERVICE_EVALUATIONS sets how many evaluations; the record is 10,000,000.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FlagService } from "../../tests/support/node/built-sdk.mjs";
import { FakeService, feature } from "../../tests/support/node/fake-service.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const EVALUATIONS = Number(process.env.FLAGSERVICE_EVALUATIONS ?? 300_000);
/** Tolerance for the engine's own memory. */
const ALLOWED_BYTES = 3 * 1024 * 1024;

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

test(`${EVALUATIONS} evaluations of new users, with rule changes in between, do not leak memory`, async (t) => {
  const halves = [
    { variantKey: "on", percentage: 50 },
    { variantKey: "off", percentage: 50 },
  ];
  service.rules = { since: "00000000000000aa.1.1", features: [feature("a", [{ name: "", splits: halves }])] };
  const client = FlagService.init("srv-key", { baseUrl: service.base });
  t.after(() => client.close());
  await service.waitForStreams(1);
  let events = 0;
  client.on("EVALUATION", ({ user }) => {
    events += user.id.length > 0 ? 1 : 0;
  });
  let version = 1;
  const round = async (evaluations) => {
    for (let number = 0; number < evaluations; number++) {
      // Every thousandth user is anonymous; the client remembers their id as long as the object exists.
      const id = number % 1_000 === 0 ? undefined : `user-${number}`;
      client.evaluate("a", { id, attributes: { country: "SE", plans: ["pro"], age: number } });
    }
    const updated = new Promise((resolve) => client.on("UPDATED_FEATURE", resolve));
    version += 1;
    const rule = { name: String(version), splits: halves };
    const data = JSON.stringify({ features: [feature("a", [rule])], gone: [] });
    service.send(`event: patch\nid: 00000000000000aa.${version}.${version.toString(16)}\ndata: ${data}\n\n`);
    await updated;
    client.off("UPDATED_FEATURE");
    collect();
    await new Promise(setImmediate);
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external + arrayBuffers;
  };
  const tenth = EVALUATIONS / 10;
  for (let warmUp = 0; warmUp < 3; warmUp++) await round(tenth);
  const before = await round(tenth);
  let last = before;
  for (let number = 0; number < 6; number++) last = await round(tenth);
  t.diagnostic(`from ${before} to ${last} bytes`);
  assert.equal(events, EVALUATIONS);
  assert.ok(last - before < ALLOWED_BYTES, `the memory grew by ${last - before} bytes in ${tenth * 6} evaluations`);
});

test("closing a client closes its stream, also after garbage was collected", async () => {
  const open = await FakeService.start();
  const client = FlagService.init("srv-key", { baseUrl: open.base });
  await client.ready();
  await open.waitForStreams(1);
  const updated = new Promise((resolve) => client.on("UPDATED_FEATURE", resolve));
  const data = JSON.stringify({ features: [feature("later", [])], gone: [] });
  open.send(`event: patch\nid: 00000000000000aa.2.2\ndata: ${data}\n\n`);
  await updated;
  for (let times = 0; times < 5; times++) {
    collect();
    await new Promise(setImmediate);
  }
  await client.close();
  await open.waitForStreams(0);
  await open.stop();
});
