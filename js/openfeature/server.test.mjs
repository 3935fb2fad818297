// Our provider for Node and OpenFeature's own OFREP provider, with the unmodified server SDK and the real service.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { loadOnServer } from "../../tests/support/browser/openfeature.mjs";
import { nextEvent } from "../../tests/support/node/built-sdk.mjs";
import { withoutTimeouts } from "../../tests/support/node/mocked-timeouts.mjs";
import { startService } from "../../tests/support/server/service.mjs";

const ALICE = { targetingKey: "alice" };
const ON = { enabled: true, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] };

let service;
let key;
let all;

before(async () => {
  [service, all] = await Promise.all([startService(["--requests-per-second", "1000"]), loadOnServer()]);
  key = (await service.newServerKey()).key;
});

after(() => service?.remove());

/** An OpenFeature client with this provider, in its own domain. */
async function client(t, provider) {
  const domain = t.name;
  await all.Server.OpenFeature.setProviderAndWait(domain, provider);
  t.after(() => provider.onClose?.());
  return all.Server.OpenFeature.getClient(domain);
}

const ours = () => new all.FlagServiceServerProvider(key, { baseUrl: service.base });
const ofrep = (credential = key, options = {}) =>
  new all.OFREPProvider({ baseUrl: service.base, headers: [["Authorization", `Bearer ${credential}`]], ...options });

async function evaluated(client, type, flag, fallback, context = ALICE) {
  const { value, errorCode, variant } = await client[`get${type}Details`](flag, fallback, context);
  return [value, errorCode ?? variant];
}

/** Checks what both providers resolve. */
async function checkResolution(client) {
  assert.deepEqual(await evaluated(client, "Boolean", "search-suggestions", false), [true, "on"]);
  assert.deepEqual(await evaluated(client, "Boolean", "express-delivery", true), [false, "off"]);
  assert.deepEqual(await evaluated(client, "String", "banner-color", "none"), ["plum", "plum"]);
  assert.deepEqual(await evaluated(client, "Boolean", "banner-color", true), [true, "TYPE_MISMATCH"]);
  assert.deepEqual(await evaluated(client, "Number", "search-suggestions", 7), [7, "TYPE_MISMATCH"]);
  assert.deepEqual(await evaluated(client, "Object", "search-suggestions", { own: 1 }), [{ own: 1 }, "TYPE_MISMATCH"]);
  assert.deepEqual(await evaluated(client, "Boolean", "nobody", true), [true, "FLAG_NOT_FOUND"]);
  const swede = { ...ALICE, country: "SE", nested: { odd: 1 } };
  assert.deepEqual(await evaluated(client, "Boolean", "express-delivery", false, swede), [true, "on"]);
}

test("our provider resolves by type, feature and context", async (t) => {
  const own = await client(t, ours());
  await checkResolution(own);
  assert.deepEqual(await evaluated(own, "String", "search-suggestions", "none"), ["on", "on"]);
});

test("our provider resolves with a client of which an application passes on the published methods only", async (t) => {
  const sdk = all.FlagService.init(key, { baseUrl: service.base });
  t.after(() => sdk.close());
  await checkResolution(await client(t, new all.FlagServiceServerProvider(Object.fromEntries(Object.entries(sdk)))));
});

test("our provider announces changes with the keys of the changed features", async (t) => {
  const own = await client(t, ours());
  assert.equal(await own.getBooleanValue("new-checkout", true, ALICE), false);
  const event = nextEventOf(own, "ConfigurationChanged");
  await service.change("new-checkout", ON);
  assert.deepEqual((await event).flagsChanged, ["new-checkout"]);
  assert.equal(await own.getBooleanValue("new-checkout", false, ALICE), true);
  await service.change("new-checkout", { enabled: false });
});

test("our provider sends tracked events as goals", async (t) => {
  const provider = ours();
  const own = await client(t, provider);
  own.track("server-purchase", ALICE, { value: 7 });
  await withoutTimeouts(t, () => provider.onClose());
  const { items } = await service.goals();
  assert.match(JSON.stringify(items.filter(({ key }) => key === "server-purchase")), /"count":1\b/);
});

test("during an outage our provider is stale and uses the last known rules, then becomes ready again", async (t) => {
  const own = await client(t, ours());
  await service.kill();
  await nextEventOf(own, "Stale");
  assert.equal(own.providerStatus, "STALE");
  await checkResolution(own);
  await service.start();
  await nextEventOf(own, "Ready");
  assert.equal(own.providerStatus, "READY");
});

/** Resolves with the next event of this name; at once if the provider has that status. */
const nextEventOf = (own, name) => new Promise((resolve) => own.addHandler(all.Server.ProviderEvents[name], resolve));

test("errors that are no outage do not make our provider stale", async (t) => {
  const sdk = all.FlagService.init(key, { baseUrl: service.base, file: "/missing/rules", logger: silent() });
  t.after(() => sdk.close());
  const own = await client(t, new all.FlagServiceServerProvider(sdk));
  const error = await nextEvent(sdk, "ERROR");
  assert.match(error, /cannot be saved/);
  assert.equal(own.providerStatus, "READY");
});

test("with the rules of a file our provider is stale until the service confirms them", async (t) => {
  const file = join(service.folder, "openfeature-rules");
  const first = all.FlagService.init(key, { baseUrl: service.base, file });
  await first.ready();
  await first.close();
  await service.kill();
  const sdk = all.FlagService.init(key, { baseUrl: service.base, file, logger: silent() });
  t.after(() => sdk.close());
  const early = await client(t, new all.FlagServiceServerProvider(sdk));
  await nextEventOf(early, "Stale");
  // The outage has begun before there is this provider.
  await all.Server.OpenFeature.setProviderAndWait("late", new all.FlagServiceServerProvider(sdk));
  const late = all.Server.OpenFeature.getClient("late");
  await nextEventOf(late, "Stale");
  await checkResolution(late);
  await service.start();
  await Promise.all([nextEventOf(early, "Ready"), nextEventOf(late, "Ready")]);
  assert.deepEqual([early.providerStatus, late.providerStatus], ["READY", "READY"]);
});

test("a client that has loaded the rules late makes our provider ready", async (t) => {
  await service.kill();
  const sdk = all.FlagService.init(key, { baseUrl: service.base, logger: silent() });
  t.after(() => sdk.close());
  assert.equal(await sdk.ready(), false);
  const loaded = nextEvent(sdk, "INIT");
  await service.start();
  await loaded;
  const own = await client(t, new all.FlagServiceServerProvider(sdk));
  assert.equal(own.providerStatus, "READY");
});

test("without rules our provider is in error and serves defaults", async (t) => {
  const provider = new all.FlagServiceServerProvider("srv-nobody", { baseUrl: service.base, logger: silent() });
  t.after(() => provider.onClose());
  await assert.rejects(all.Server.OpenFeature.setProviderAndWait(t.name, provider), /rules could not be loaded/);
  const own = all.Server.OpenFeature.getClient(t.name);
  assert.equal(own.providerStatus, "ERROR");
  const { errorMessage } = await own.getBooleanDetails("search-suggestions", false, ALICE);
  assert.match(errorMessage, /rules could not be loaded/);
  assert.deepEqual(await evaluated(own, "Boolean", "search-suggestions", false), [false, "PROVIDER_NOT_READY"]);
});

test("an offline provider is ready, and does not know features without a default", async (t) => {
  const config = { offline: true, defaultFeatures: { "search-suggestions": "on" } };
  const own = await client(t, new all.FlagServiceServerProvider(key, config));
  assert.deepEqual(await evaluated(own, "Boolean", "search-suggestions", false), [true, "on"]);
  assert.deepEqual(await evaluated(own, "Boolean", "express-delivery", true), [true, "FLAG_NOT_FOUND"]);
});

test("a provider that is set again after it was closed follows the service again", async (t) => {
  const sdk = all.FlagService.init(key, { baseUrl: service.base });
  t.after(() => sdk.close());
  await sdk.ready();
  for (const [domain, provider] of [
    ["own client", ours()],
    ["given client", new all.FlagServiceServerProvider(sdk)],
  ]) {
    await all.Server.OpenFeature.setProviderAndWait(domain, provider);
    t.after(() => provider.onClose());
    await all.Server.OpenFeature.setProviderAndWait(domain, new all.Server.InMemoryProvider({}));
    await service.change("new-checkout", ON);
    while (sdk.evaluate("new-checkout", { id: "alice" }).isOff()) await nextEvent(sdk, "UPDATED_FEATURE");
    await all.Server.OpenFeature.setProviderAndWait(domain, provider);
    const again = all.Server.OpenFeature.getClient(domain);
    assert.equal(await again.getBooleanValue("new-checkout", false, ALICE), true, domain);
    const changed = nextEventOf(again, "ConfigurationChanged");
    await service.change("new-checkout", { enabled: false });
    assert.deepEqual((await changed).flagsChanged, ["new-checkout"], domain);
    assert.equal(await again.getBooleanValue("new-checkout", true, ALICE), false, domain);
    const feature = { key: domain.replace(" ", "-"), name: domain };
    const created = nextEventOf(again, "ConfigurationChanged");
    await service.as("administrator", "POST", "/projects/shop/features", feature);
    await created;
    assert.deepEqual(await evaluated(again, "Boolean", feature.key, true), [false, "off"], domain);
  }
});

test("a provider that is set again during an outage is in error, as a new one is", async (t) => {
  const provider = new all.FlagServiceServerProvider(key, { baseUrl: service.base, logger: silent() });
  t.after(() => provider.onClose());
  const { OpenFeature, InMemoryProvider } = all.Server;
  await OpenFeature.setProviderAndWait(t.name, provider);
  await OpenFeature.setProviderAndWait(t.name, new InMemoryProvider({}));
  await service.kill();
  await assert.rejects(OpenFeature.setProviderAndWait(t.name, provider), /rules could not be loaded/);
  const own = OpenFeature.getClient(t.name);
  assert.deepEqual(await evaluated(own, "Boolean", "search-suggestions", false), [false, "PROVIDER_NOT_READY"]);
  await service.start();
  await nextEventOf(own, "Ready");
  await checkResolution(own);
});

test("without a key or a client our provider says what it needs", () => {
  for (const missing of [undefined, null, " "]) {
    assert.throws(() => new all.FlagServiceServerProvider(missing), {
      name: "TypeError",
      message: /server key of an environment/,
    });
  }
});

const silent = () => ({ warn() {}, error() {} });

test("OpenFeature's own provider resolves by type, feature and context, with a server key and a client key", async (t) => {
  await checkResolution(await client(t, ofrep()));
  const named = { headers: [["X-API-Key", service.clientKey]] };
  await checkResolution(await client(t, ofrep("", named)));
});

test("OpenFeature's own provider serves changes with the reason", async (t) => {
  const own = await client(t, ofrep());
  const reason = async () => (await own.getBooleanDetails("new-checkout", false, ALICE)).reason;
  await service.change("new-checkout", ON);
  assert.equal(await own.getBooleanValue("new-checkout", false, ALICE), true);
  assert.equal(await reason(), "STATIC");
  await service.change("new-checkout", { enabled: false });
  assert.equal(await own.getBooleanValue("new-checkout", true, ALICE), false);
  assert.equal(await reason(), "DISABLED");
});

test("OpenFeature's own provider reports a missing targeting key and an invalid server key", async (t) => {
  const own = await client(t, ofrep());
  assert.deepEqual(await evaluated(own, "Boolean", "search-suggestions", false, {}), [false, "TARGETING_KEY_MISSING"]);
  const unauthorized = await client(t, ofrep("srv-nobody"));
  assert.deepEqual(await evaluated(unauthorized, "Boolean", "search-suggestions", false), [false, "GENERAL"]);
});

test("OpenFeature's own provider waits as long as Retry-After demands", async (t) => {
  const strict = await startService(["--requests-per-second", "1"]);
  t.after(() => strict.remove());
  const statuses = [];
  const fetchImplementation = async (request) => {
    const response = await fetch(request);
    statuses.push(response.status);
    return response;
  };
  const options = { baseUrl: strict.base, fetchImplementation };
  const own = await client(t, ofrep(strict.clientKey, options));
  // The pause must last until the next evaluation.
  t.mock.timers.enable({ apis: ["Date"] });
  while (!statuses.includes(429)) await evaluated(own, "Boolean", "search-suggestions", false);
  const count = statuses.length;
  const details = await own.getBooleanDetails("search-suggestions", false, ALICE);
  assert.match(details.errorMessage, /paused due to TooManyRequests/);
  assert.equal(statuses.length, count, "it sends no request");
});
