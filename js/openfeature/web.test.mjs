// Our provider for pages, with OpenFeature's unmodified web SDK and React SDK, in Chromium, with the real service.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addPage, openPage, reopen } from "../../tests/support/browser/openfeature.mjs";
import { withoutRequestTimeouts } from "../../tests/support/browser/request-timeouts.mjs";
import { launchBrowser } from "../../tests/support/browser/shared-browser.mjs";
import { startService } from "../../tests/support/server/service.mjs";

const ON = { enabled: true, rules: [{ splits: [{ variantKey: "on", percentage: 100 }] }] };

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  await addPage(service);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** A page with the provider. `config` configures its client. */
async function start(config = {}) {
  const page = await openPage(browser, service);
  const provide = ([key, config]) => provide(new FlagServiceWebProvider(key, config));
  assert.equal(await page.evaluate(provide, [service.clientKey, config]), "READY");
  return page;
}

/** Holds the page's loads from now on. `started` resolves when there is one; `release()` lets them and all later ones pass. */
async function holdLoads(page) {
  const started = page.waitForRequest("**/load");
  started.catch(() => {});
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.addInitScript(withoutRequestTimeouts);
  await page.evaluate(withoutRequestTimeouts);
  await page.route("**/load", async (route) => {
    await released;
    // The client has aborted one that was overtaken.
    await route.continue().catch(() => {});
  });
  return { started, release };
}

test("every variant is a string, on and off are also booleans, and no variant is a number or an object", async () => {
  const page = await start();
  const answers = await page.evaluate(() => [
    resolved("Boolean", "search-suggestions", false),
    resolved("String", "search-suggestions", "none"),
    resolved("Boolean", "express-delivery", true),
    resolved("String", "banner-color", "none"),
    resolved("Boolean", "banner-color", true),
    resolved("Number", "search-suggestions", 7),
    resolved("Object", "search-suggestions", { own: 1 }),
    resolved("Boolean", "nobody", true),
    resolved("String", "toString", "mine"),
  ]);
  assert.deepEqual(answers, [
    [true, "on"],
    ["on", "on"],
    [false, "off"],
    ["plum", "plum"],
    [true, "TYPE_MISMATCH"],
    [7, "TYPE_MISMATCH"],
    [{ own: 1 }, "TYPE_MISMATCH"],
    [true, "FLAG_NOT_FOUND"],
    ["mine", "FLAG_NOT_FOUND"],
  ]);
  assert.deepEqual(page.wrongs, []);
});

test("a returning page is ready with cached features, then gets the changes since", async () => {
  const page = await start();
  const { enabled, rules } = await service.read("new-checkout");
  assert.equal(enabled, false);
  const address = page.url();
  await page.goto("about:blank");
  await service.change("new-checkout", ON);
  const load = await holdLoads(page);
  await reopen(page, address);
  const provide = (key) =>
    provide(new FlagServiceWebProvider(key)).then((status) => [status, resolved("Boolean", "new-checkout", true)]);
  assert.deepEqual(await page.evaluate(provide, service.clientKey), ["READY", [false, "off"]]);
  assert.deepEqual(await page.evaluate(() => changed), []);
  load.release();
  await page.waitForProviderEvent("PROVIDER_CONFIGURATION_CHANGED");
  assert.deepEqual(
    await page.evaluate(() => [changed, resolved("Boolean", "new-checkout", false), client.providerStatus]),
    [["new-checkout"], [true, "on"], "READY"],
  );
  await service.change("new-checkout", { enabled, rules });
  assert.deepEqual(page.wrongs, []);
});

test("after a context change, features are evaluated for the new user before the SDK is ready", async () => {
  const page = await start();
  const values = await page.evaluate(async () => {
    const values = [];
    for (const country of ["SE", "ES", "SE"]) {
      await Web.OpenFeature.setContext({ targetingKey: "alice", country, nested: { odd: 1 }, since: new Date(0) });
      values.push(client.getBooleanValue("express-delivery", false));
    }
    return values;
  });
  assert.deepEqual(values, [true, false, true]);
});

test("a change is announced with the keys of the changed features, when it is in force", async () => {
  const page = await start();
  await service.change("new-checkout", { enabled: false });
  await page.waitForFunction(() => client.getBooleanValue("new-checkout", true) === false);
  await page.evaluate(() => changed.splice(0));
  await service.change("new-checkout", ON);
  await page.waitForFunction(() => changed.includes("new-checkout"));
  assert.deepEqual(await page.evaluate(() => [changed, client.getBooleanValue("new-checkout", false)]), [
    ["new-checkout"],
    true,
  ]);
  await service.change("new-checkout", { enabled: false });
});

test("a tracked event is sent as a goal", async () => {
  const page = await start();
  const sent = page.waitForResponse((response) => response.url().endsWith("/goals"));
  await page.evaluate(() => client.track("web-purchase", { value: 7 }));
  assert.equal((await sent).status(), 202);
  const { items } = await service.goals();
  assert.match(JSON.stringify(items.filter(({ key }) => key === "web-purchase")), /"count":1\b/);
});

test("an exposure is sent once for a resolved value, and not for a default", async () => {
  const page = await openPage(browser, service);
  const sent = await page.evaluate(async (key) => {
    const sent = [];
    const integration = exposureIntegration(({ key, variant }) => sent.push(`${key}=${variant}`));
    await provide(new FlagServiceWebProvider(key, { integrations: [integration] }));
    for (let time = 0; time < 3; time += 1) client.getBooleanValue("search-suggestions", false);
    client.getStringValue("nobody", "default");
    client.getBooleanValue("banner-color", false);
    return sent;
  }, service.clientKey);
  assert.deepEqual(sent, ["search-suggestions=on"]);
});

test("during a change of the context features are those of the previous user, and no exposure is sent for the next one", async () => {
  const page = await openPage(browser, service);
  await page.evaluate(async (key) => {
    window.sent = [];
    const integration = exposureIntegration(({ key, variant }) => sent.push(`${key}=${variant}`));
    const context = { targetingKey: "alice", country: "SE" };
    await provide(new FlagServiceWebProvider(key, { integrations: [integration] }), context);
    window.values = [client.getBooleanValue("express-delivery", false)];
  }, service.clientKey);
  const load = await holdLoads(page);
  await page.evaluate(() => {
    window.changing = Web.OpenFeature.setContext({ targetingKey: "bob", country: "SE" });
    values.push(client.getBooleanValue("express-delivery", false));
  });
  assert.deepEqual(await page.evaluate(() => [values, sent]), [[true, true], ["express-delivery=on"]]);
  load.release();
  const seen = await page.evaluate(async () => {
    await changing;
    values.push(client.getBooleanValue("express-delivery", false));
    return [values, sent];
  });
  assert.deepEqual(seen, [
    [true, true, true],
    ["express-delivery=on", "express-delivery=on"],
  ]);
});

test("a load that another change of the context overtakes does not make the provider ready", async () => {
  const page = await openPage(browser, service);
  const load = await holdLoads(page);
  await page.evaluate((key) => {
    window.done = [];
    provide(new FlagServiceWebProvider(key)).then((status) => done.push(`provided: ${status}`));
  }, service.clientKey);
  await load.started;
  const change = (targetingKey) =>
    page.evaluate(async (targetingKey) => {
      Web.OpenFeature.setContext({ targetingKey }).then(() => done.push(`${targetingKey}: ${client.providerStatus}`));
      // Whatever has been settled is told by now.
      await new Promise((resolve) => setTimeout(resolve));
      return [client.providerStatus, ...done];
    }, targetingKey);
  assert.deepEqual(await change("bob"), ["RECONCILING"]);
  assert.deepEqual(await change("carol"), ["RECONCILING"]);
  load.release();
  await page.waitForFunction(() => done.length === 3);
  assert.deepEqual(await page.evaluate(() => [done.sort(), resolved("Boolean", "search-suggestions", false)]), [
    ["bob: READY", "carol: READY", "provided: READY"],
    [true, "on"],
  ]);
});

test("a change of the context waits for the load, also where its user is cached and the provider is not ready yet", async () => {
  const page = await start();
  await reopen(page, page.url());
  const load = await holdLoads(page);
  await page.evaluate((key) => {
    window.done = [];
    provide(new FlagServiceWebProvider(key), { targetingKey: "new-bob" }).then(() => done.push("provided"));
    Web.OpenFeature.setContext({ targetingKey: "alice" }).then(() => done.push("alice"));
  }, service.clientKey);
  await page.waitForFunction(() => client.getBooleanValue("search-suggestions", false));
  assert.deepEqual(await page.evaluate(() => [client.providerStatus, done]), ["RECONCILING", []]);
  load.release();
  await page.waitForFunction(() => done.length === 2);
});

test("during a change of the context features are those of the previous user, also if none was resolved before", async () => {
  const page = await openPage(browser, service);
  await page.evaluate(async (key) => {
    window.sent = [];
    const integrations = [exposureIntegration(({ key, variant }) => sent.push(`${key}=${variant}`))];
    const config = { integrations, defaultFeatures: { "express-delivery": "off" } };
    await provide(new FlagServiceWebProvider(key, config), { targetingKey: "alice", country: "SE" });
  }, service.clientKey);
  const load = await holdLoads(page);
  const seen = await page.evaluate(() => {
    window.changing = Web.OpenFeature.setContext({ targetingKey: "bob", country: "ES" });
    return [resolved("Boolean", "express-delivery", false), resolved("Boolean", "search-suggestions", false), sent];
  });
  assert.deepEqual(seen, [[true, "on"], [true, "on"], []]);
  load.release();
  const after = await page.evaluate(() => changing.then(() => [resolved("Boolean", "express-delivery", true), sent]));
  assert.deepEqual(after, [[false, "off"], ["express-delivery=off"]]);
});

test("a provider that is set again after it was closed knows nothing of the time before", async () => {
  const page = await start();
  const values = await page.evaluate(async () => {
    const provider = Web.OpenFeature.getProvider();
    const before = client.getBooleanValue("search-suggestions", false);
    await Web.OpenFeature.clearProviders();
    window.again = () => provide(provider, { targetingKey: "new-carol" });
    return [before, provider.resolveBooleanEvaluation("search-suggestions", false).errorCode];
  });
  assert.deepEqual(values, [true, "PROVIDER_NOT_READY"]);
  await page.route("**/load", (route) => route.fulfill({ status: 503 }));
  assert.deepEqual(
    await page.evaluate(() => again().then((s) => [s, resolved("Boolean", "search-suggestions", false)])),
    ["ERROR", [false, "PROVIDER_NOT_READY"]],
  );
  await page.unroute("**/load");
  await page.waitForFunction(() => client.providerStatus === "READY");
  assert.deepEqual(await page.evaluate(() => resolved("Boolean", "search-suggestions", false)), [true, "on"]);
});

test("with bootstrap the provider is ready at once, then gets what the load changes", async () => {
  const page = await openPage(browser, service);
  const load = await holdLoads(page);
  const first = await page.evaluate(async (key) => {
    const bootstrap = { "search-suggestions": "off", "express-delivery": "off" };
    const status = await provide(new FlagServiceWebProvider(key, { bootstrap }));
    return [status, resolved("Boolean", "search-suggestions", true)];
  }, service.clientKey);
  assert.deepEqual(first, ["READY", [false, "off"]]);
  load.release();
  await page.waitForProviderEvent("PROVIDER_CONFIGURATION_CHANGED");
  assert.deepEqual(
    await page.evaluate(() => [
      changed.filter((key) => ["search-suggestions", "express-delivery"].includes(key)),
      resolved("Boolean", "search-suggestions", false),
    ]),
    [["search-suggestions"], [true, "on"]],
  );
});

test("without a key or a client the provider says what it needs", async () => {
  const page = await openPage(browser, service);
  const messages = await page.evaluate(() =>
    [undefined, null, " "].map((key) => {
      try {
        return new FlagServiceWebProvider(key);
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    }),
  );
  assert.deepEqual(messages, Array(3).fill("TypeError: FlagServiceWebProvider needs a client key or a client."));
});

test("an unknown key is an error, and defaults are served", async () => {
  const page = await openPage(browser, service);
  assert.equal(await page.evaluate(() => provide(new FlagServiceWebProvider("js-nobody"))), "ERROR");
  assert.equal(await page.evaluate(() => client.getBooleanValue("search-suggestions", false)), false);
  assert.equal(await page.evaluate(() => events.includes("PROVIDER_ERROR")), true);
});

test("default features alone do not make a provider ready, and are served", async () => {
  const page = await openPage(browser, service);
  const status = await page.evaluate(() =>
    provide(new FlagServiceWebProvider("js-nobody", { defaultFeatures: { "search-suggestions": "on" } })),
  );
  assert.equal(status, "ERROR");
  assert.deepEqual(await page.evaluate(() => resolved("Boolean", "search-suggestions", false)), [true, "on"]);
});

test("closing the provider does not close the application's client", async () => {
  const page = await openPage(browser, service);
  const [status, value, still] = await page.evaluate(async (key) => {
    const own = FlagService.init(key, { id: "bob" });
    const status = await provide(new FlagServiceWebProvider(own));
    const value = [own.getUser().id, client.getBooleanValue("search-suggestions", false)];
    await Web.OpenFeature.close();
    const updated = await new Promise((resolve) => own.updateUser({ id: "carol" }, resolve));
    return [status, value, updated["search-suggestions"]];
  }, service.clientKey);
  assert.deepEqual([status, value, still], ["READY", ["alice", true], "on"]);
});

test("React components on the provider follow the context and changes", async () => {
  const page = await start();
  await page.evaluate(() => {
    const h = React.createElement;
    window.Shows = ({ flag }) => h("p", { id: flag }, String(ReactSdk.useBooleanFlagValue(flag, false)));
    const place = document.body.appendChild(document.createElement("div"));
    const shown = ["new-checkout", "express-delivery"].map((flag) => h(Shows, { key: flag, flag }));
    createRoot(place).render(h(ReactSdk.OpenFeatureProvider, null, ...shown));
  });
  const shows = (id, text) =>
    page.waitForFunction(([id, text]) => document.getElementById(id)?.textContent === text, [id, text]);
  await shows("new-checkout", "false");
  await service.change("new-checkout", ON);
  await shows("new-checkout", "true");
  await service.change("new-checkout", { enabled: false });
  await shows("new-checkout", "false");
  await shows("express-delivery", "false");
  await page.evaluate(() => Web.OpenFeature.setContext({ targetingKey: "alice", country: "SE" }));
  await shows("express-delivery", "true");
  assert.deepEqual(page.wrongs, []);
});

test("during an outage the provider is stale and still resolves, then becomes ready with the next change", async () => {
  const page = await start();
  await service.kill();
  await page.waitForProviderEvent("PROVIDER_STALE");
  assert.deepEqual(
    await page.evaluate(() => [client.providerStatus, resolved("Boolean", "search-suggestions", false)]),
    ["STALE", [true, "on"]],
  );
  await service.start();
  await service.change("new-checkout", ON);
  await page.waitForFunction(() => client.getBooleanValue("new-checkout", false));
  assert.equal(await page.evaluate(() => client.providerStatus), "READY");
  await service.change("new-checkout", { enabled: false });
});

test("a context change during an outage is an error with defaults, and is evaluated after the outage", async () => {
  const page = await start();
  await service.kill();
  await page.evaluate(() => Web.OpenFeature.setContext({ targetingKey: "alice", country: "SE" }));
  assert.deepEqual(await page.evaluate(() => [client.providerStatus, resolved("Boolean", "express-delivery", false)]), [
    "ERROR",
    [false, "PROVIDER_NOT_READY"],
  ]);
  await service.start();
  await page.waitForFunction(() => client.providerStatus === "READY");
  assert.deepEqual(await page.evaluate(() => resolved("Boolean", "express-delivery", false)), [true, "on"]);
  assert.deepEqual(page.wrongs, []);
});
