// The Node SDK with the real service: it loads, follows changes, survives outages and revoked keys, and lets its process exit.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../../scripts/free-port.mjs";
import { run } from "../../scripts/processes.mjs";
import { address, FlagService, nextEvent, recordingLogger } from "../support/node/built-sdk.mjs";
import { withoutTimeouts } from "../support/node/mocked-timeouts.mjs";
import { startService } from "../support/server/service.mjs";

const ALICE = { id: "alice", attributes: { country: "SE", plan: "pro" } };

let service;
let key;

before(async () => {
  service = await startService();
  key = (await service.newServerKey()).key;
});

after(() => service?.remove());

function start(t, config = {}, serverKey = key) {
  const logger = recordingLogger();
  const client = FlagService.init(serverKey, { baseUrl: service.base, logger, ...config });
  t.after(() => client.close());
  return Object.assign(client, { said: logger.said });
}

/** Waits until a feature has this variant for Alice. */
async function shows(client, feature, variant) {
  while (client.evaluate(feature, ALICE).value() !== variant) await nextEvent(client, "UPDATED_FEATURE");
}

test("it loads the rules of its environment and evaluates like the service", async (t) => {
  const client = start(t);
  assert.equal(client.evaluate("search-suggestions", ALICE).value(), "off", "before the rules are loaded");
  assert.equal(await client.ready(), true);
  for (const user of [ALICE, { id: "bob" }, { id: "carol", attributes: { country: "ES", plan: ["free", "team"] } }]) {
    const served = await service.load(user);
    assert.deepEqual(client.evaluateAll(user), served);
    assert.deepEqual(client.bootstrap(user), served);
  }
  assert.deepEqual(client.said, []);
});

test("a change takes effect without a request, and so does archiving or restoring a feature", async (t) => {
  const client = start(t);
  await client.ready();
  await service.change("new-checkout", { enabled: true, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] });
  await shows(client, "new-checkout", "on");
  await service.change("new-checkout", { enabled: false });
  await shows(client, "new-checkout", "off");

  // Otherwise archiving needs an approval.
  await service.as("administrator", "PATCH", "/projects/shop/environments/production-eu", { approvalRequired: false });
  const gone = nextEvent(client, "UPDATED_FEATURE");
  await service.changeFeature("gift-cards", { lifecycle: "Archived" });
  assert.deepEqual(await gone, ["gift-cards"]);
  assert.equal("gift-cards" in client.evaluateAll(ALICE), false);
  const back = nextEvent(client, "UPDATED_FEATURE");
  await service.changeFeature("gift-cards", { lifecycle: "Active" });
  assert.deepEqual(await back, ["gift-cards"]);
  assert.deepEqual(client.evaluateAll(ALICE), await service.load(ALICE));
});

test("without streaming it polls", async (t) => {
  const client = start(t, { streaming: false, pollInterval: 1_000 });
  await client.ready();
  await service.change("new-checkout", { enabled: true });
  await shows(client, "new-checkout", "on");
  await service.change("new-checkout", { enabled: false });
  await shows(client, "new-checkout", "off");
});

test("it keeps the last known rules while the service is down, and catches up by itself", async (t) => {
  const client = start(t);
  await client.ready();
  const before = client.evaluateAll(ALICE);
  const error = nextEvent(client, "ERROR");
  await service.kill();
  assert.match(await error, /cannot be updated: ECONNREFUSED/);
  assert.deepEqual(client.evaluateAll(ALICE), before);
  await service.start();
  await service.change("new-checkout", { enabled: true });
  await shows(client, "new-checkout", "on");
  await service.change("new-checkout", { enabled: false });
  await shows(client, "new-checkout", "off");
  assert.deepEqual(client.evaluateAll(ALICE), before);
  assert.equal(client.said.length, 1, "an outage is reported once");
});

test("started while the service is down, it serves defaults, and the rules once the service is up", async (t) => {
  await service.kill();
  const client = start(t, { defaultFeatures: { "search-suggestions": "blue" } });
  const initialised = nextEvent(client, "INIT");
  assert.equal(await client.ready(), false);
  assert.equal(client.evaluate("search-suggestions", ALICE).value(), "blue");
  assert.equal(client.bootstrap(ALICE), undefined);
  await service.start();
  await initialised;
  assert.deepEqual(client.evaluateAll(ALICE), await service.load(ALICE));
});

test("a file keeps the last known rules for a start while the service is down", async (t) => {
  const file = join(service.folder, "rules");
  const first = start(t, { file });
  await first.ready();
  const before = first.evaluateAll(ALICE);
  await first.close();
  await written(file);

  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const second = start(t, { file, baseUrl });
  // Available at once; the event follows.
  assert.deepEqual(second.evaluateAll(ALICE), before);
  assert.deepEqual((await nextEvent(second, "LOADED_FROM_CACHE")).sort(), Object.keys(before).sort());
  assert.equal(await second.ready(), true);

  // A file of another key, or one that is damaged or truncated, is ignored.
  const whole = await readFile(file, "utf8");
  assert.equal(whole.includes(key), false, "the key is not in the file");
  assert.deepEqual(start(t, { file, baseUrl }, "srv-other").evaluateAll(ALICE), {});
  for (const damaged of [whole.slice(0, -1), whole.replace('"on"', '"no"'), whole.slice(0, 20), "", "\n\n", "{}"]) {
    await writeFile(file, damaged);
    const client = start(t, { file, baseUrl });
    assert.deepEqual(client.evaluateAll(ALICE), {});
    assert.equal(await client.ready(), false);
  }
  // It is replaced once there are rules.
  const third = start(t, { file });
  await third.ready();
  await third.close();
  await written(file);
  assert.deepEqual(start(t, { file, baseUrl }).evaluateAll(ALICE), before);
});

test("rules from a file that the service confirms lead to INIT, and the next change to UPDATED_FEATURE", async (t) => {
  const file = join(service.folder, "confirmed");
  const first = start(t, { file });
  await first.ready();
  const features = Object.keys(first.evaluateAll(ALICE)).sort();
  await first.close();
  await written(file);

  const second = start(t, { file });
  assert.deepEqual((await nextEvent(second, "INIT")).sort(), features);
  const changed = nextEvent(second, "UPDATED_FEATURE");
  const { enabled } = await service.read("gift-cards");
  await service.change("gift-cards", { enabled: !enabled });
  assert.deepEqual(await changed, ["gift-cards"]);
});

/** Waits until the file has complete rules: it is written in the background. */
async function written(file) {
  while (!/^flagservice-rules 1 \w+ \w+\n\{.*\}$/.test(await readFile(file, "utf8").catch(() => ""))) {
    await new Promise(setImmediate);
  }
}

test("a file that cannot be written is reported and has no other effect", async (t) => {
  const client = start(t, { file: join(service.folder, "missing", "rules") });
  const error = nextEvent(client, "ERROR");
  await client.ready();
  assert.match(await error, /cannot be saved in .*missing/);
  assert.deepEqual(client.evaluateAll(ALICE), await service.load(ALICE));
});

test("a goal arrives with the features of its user", async (t) => {
  const client = start(t);
  await client.ready();
  client.goal("node-purchase", ALICE);
  client.goal("node-purchase", { id: "bob" });
  await withoutTimeouts(t, () => client.close());
  const { items } = await service.goals();
  const counted = JSON.stringify(items.filter(({ key }) => key === "node-purchase"));
  assert.match(counted, /"count":2/);
});

test("a goal that the service would refuse is logged, and costs no other one", async (t) => {
  const client = start(t);
  await client.ready();
  const longest = { key: "🎯".repeat(200), id: "🙂".repeat(1_000) };
  client.goal(longest.key, { id: longest.id });
  for (const id of [`${longest.id}a`, "nul\0"]) client.goal("node-refused", { id });
  for (const key of [`${longest.key}a`, "nul\0"]) client.goal(key, ALICE);
  client.goal("node-half-a-pair", { id: "alice \ud83d" });
  client.goal("node-beside", ALICE);
  await withoutTimeouts(t, () => client.close());
  const { items } = await service.goals();
  const counts = [longest.key, "node-half-a-pair", "node-beside", "node-refused"].map(
    (wanted) => items.find(({ key }) => key === wanted)?.count,
  );
  assert.deepEqual(counts, [1, 1, 1, undefined]);
  assert.deepEqual(client.said, [
    'FlagService: Goal "node-refused" was not sent: user.id has more than 1000 characters.',
    'FlagService: Goal "node-refused" was not sent: user.id has a NUL character.',
    `FlagService: Goal "${longest.key}" was not sent: its key has more than 200 characters.`,
    'FlagService: Goal "nul\0" was not sent: its key has a NUL character.',
  ]);
});

test("goals wait while the service is down, and arrive once", async (t) => {
  const client = start(t);
  await client.ready();
  const error = nextEvent(client, "ERROR");
  await service.kill();
  client.goal("node-late", ALICE);
  await error;
  await service.start();
  const count = async () => (await service.goals()).items.find(({ key }) => key === "node-late");
  while (!(await count())) await new Promise((wake) => setTimeout(wake, 50));
  assert.match(JSON.stringify(await count()), /"count":1\b/);
});

test("a revoked key is reported, and the last known rules stay in use", async (t) => {
  const made = await service.newServerKey();
  const client = start(t, {}, made.key);
  await client.ready();
  const before = client.evaluateAll(ALICE);
  const error = nextEvent(client, "ERROR");
  await service.revokeServerKey(made);
  assert.match(await error, /401: the server key is unknown or revoked/);
  assert.deepEqual(client.evaluateAll(ALICE), before);
});

test("client keys and personal tokens are refused", async (t) => {
  for (const other of [service.clientKey, service.token]) {
    const client = start(t, {}, other);
    const error = nextEvent(client, "ERROR");
    assert.equal(await client.ready(), false);
    assert.match(await error, /401/);
  }
});

test("after close the process exits by itself, whatever was open", async () => {
  const program = (config, then) => `
    import FlagService from ${JSON.stringify(address)};
    const client = FlagService.init(${JSON.stringify(key)}, ${JSON.stringify(config)});
    ${then}
    process.stdout.write(client.evaluate("search-suggestions", { id: "alice" }).value());`;
  const baseUrl = service.base;
  const away = `http://127.0.0.1:${await freePort()}`;
  const patient = { logger: undefined, baseUrl };
  const opened = `await client.ready(); client.goal("closing", { id: "a" });
    await new Promise((wake) => setTimeout(wake, 300)); await client.close();`;
  for (const [config, then, said] of [
    [patient, opened, "on"],
    [{ ...patient, streaming: false }, opened, "on"],
    [patient, "await client.ready(); client.close();", "on"],
    [patient, "client.close();", "off"],
    [{ baseUrl: away }, "await client.ready(); client.close();", "off"],
    [{ offline: true, defaultFeatures: { "search-suggestions": "blue" } }, "", "blue"],
  ]) {
    const output = await run(process.execPath, ["--input-type=module", "--eval", program(config, then)], {
      minutes: 3,
    });
    assert.ok(output.endsWith(said), `${JSON.stringify(config)} ${then}: ${output}`);
  }
});

test("the key, users and attributes are in no log line of the service", async () => {
  const log = await service.log();
  assert.ok(log.includes("/server/v1/rules"));
  for (const secret of [key, "srv-", "alice"]) assert.equal(log.includes(secret), false, secret);
});
