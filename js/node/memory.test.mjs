// Evaluations leave the memory where it was. FLAGSERVICE_EVALUATIONS sets how many there are; the record has 10,000,000.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FlagService } from "../../tests/support/node/built-sdk.mjs";
import { FakeService, feature } from "../../tests/support/node/fake-service.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const EVALUATIONS = Number(process.env.FLAGSERVICE_EVALUATIONS ?? 300_000);
/** What may come and go with the engine's own doings. */
const ALLOWED = 3 * 1024 * 1024;

let service;

before(async () => {
  service = await FakeService.start();
});

after(() => service.stop());

test(`${EVALUATIONS} evaluations of fresh users, with changes of the rules between, leak nothing`, async (t) => {
  const halves = [
    { variantKey: "on", percentage: 50 },
    { variantKey: "off", percentage: 50 },
  ];
  service.rules = { since: "00000000000000aa.1.1", features: [feature("a", [{ name: "", splits: halves }])] };
  const client = FlagService.init("srv-key", { baseUrl: service.base });
  t.after(() => client.close());
  await service.open(1);
  let heard = 0;
  client.on("EVALUATION", ({ user }) => {
    heard += user.id.length > 0 ? 1 : 0;
  });
  let version = 1;
  const round = async (evaluations) => {
    for (let number = 0; number < evaluations; number++) {
      // Every thousandth is anonymous, and remembered for as long as the object is.
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
  for (let warm = 0; warm < 3; warm++) await round(tenth);
  const before = await round(tenth);
  let last = before;
  for (let number = 0; number < 6; number++) last = await round(tenth);
  t.diagnostic(`from ${before} to ${last} bytes`);
  assert.equal(heard, EVALUATIONS);
  assert.ok(last - before < ALLOWED, `the memory grew by ${last - before} bytes in ${tenth * 6} evaluations`);
});
