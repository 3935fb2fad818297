// analyticsIntegration, with a real analytics SDK and with fakes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

/** The events that the analytics SDK has sent, once there are this many of a type. */
async function collected(type, count) {
  const events = () => service.requestsOf("collect").flatMap(({ body }) => JSON.parse(body).events);
  while (events().filter(({ event_type }) => event_type === type).length < count) {
    await service.waitForRequests("collect", service.requestsOf("collect").length + 1);
  }
  return events();
}

for (const [how, instance] of Object.entries({
  "as a namespace import": "analytics",
  "of createInstance()": "analytics.createInstance()",
})) {
  test(`the analytics SDK ${how} sends $exposure and sets the user property`, async () => {
    const contents = `
      import * as analytics from "@amplitude/analytics-browser";
      const quiet = { autocapture: false, remoteConfig: { fetchRemoteConfig: false }, flushIntervalMillis: 1 };
      window.analytics = ${instance};
      window.ready = window.analytics.init("key", "the-user", { serverUrl: location.origin + "/collect", ...quiet }).promise;`;
    const bundle = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: "iife",
    });
    service.scripts["/analytics.js"] = bundle.outputFiles[0].text;
    const page = await browser.open(service);
    await page.addScriptTag({ url: "/analytics.js" });
    await page.evaluate(async () => {
      await ready;
      const integration = (options) => FlagService.analyticsIntegration(analytics, options);
      const init = (options) =>
        FlagService.init("js-key", { id: "alice" }, { offline: true, integrations: [integration(options)] });
      const client = init();
      client.evaluate("checkout");
      client.evaluate("checkout");
      init({ identify: false, eventName: "seen", flags: ["banner"] }).evaluate("banner");
    });
    const events = await collected("seen", 1);
    const sent = events.map(({ event_type, event_properties, user_properties, user_id }) => ({
      event_type,
      user_id,
      ...(event_type === "$identify" ? { user_properties } : { event_properties }),
    }));
    const user_id = "the-user";
    assert.deepEqual(
      sent.filter(({ event_type }) => ["$exposure", "$identify", "seen"].includes(event_type)),
      [
        { event_type: "$exposure", user_id, event_properties: { flag_key: "checkout", variant: "off" } },
        { event_type: "$identify", user_id, user_properties: { $set: { flagservice_checkout: "off" } } },
        { event_type: "seen", user_id, event_properties: { flag_key: "banner", variant: "off" } },
      ],
    );
    assert.deepEqual(page.uncaught, []);
  });
}

test("deduplication and flags apply to both the event and the user property of analyticsIntegration", async () => {
  const page = await browser.open(service);
  const calls = await page.evaluate(async () => {
    const calls = [];
    class Identify {
      set(name, value) {
        return { [name]: value };
      }
    }
    const instance = (name) => ({
      Identify,
      track: (...args) => calls.push([name, "track", ...args]),
      identify: (...args) => calls.push([name, "identify", ...args]),
    });
    const integrations = [
      FlagService.analyticsIntegration(instance("all")),
      FlagService.analyticsIntegration(instance("none"), { flags: [] }),
      FlagService.analyticsIntegration(instance("some"), { flags: ["b"] }),
      FlagService.analyticsIntegration(instance("predicate"), { flags: (key) => key === "b", identify: false }),
    ];
    start({ id: "alice" }, { integrations });
    await until("LOADED");
    for (const key of ["a", "a", "b", "a", "b"]) client.evaluate(key);
    client.evaluateAll();
    return calls;
  });
  const exposure = (name, key, variant) => [name, "track", "$exposure", { flag_key: key, variant }];
  const property = (name, key, variant) => [name, "identify", { [`flagservice_${key}`]: variant }];
  assert.deepEqual(calls, [
    // No user or device is passed: the analytics instance adds its own.
    exposure("all", "a", "on"),
    property("all", "a", "on"),
    exposure("all", "b", "off"),
    property("all", "b", "off"),
    exposure("some", "b", "off"),
    property("some", "b", "off"),
    exposure("predicate", "b", "off"),
  ]);
});

test("a variant that comes back sets the user property again, without another exposure", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    window.calls = [];
    window.instance = {
      track: (_name, { variant }) => calls.push(`track ${variant}`),
      identify: (properties) => calls.push(`identify ${properties.getUserProperties().$set.flagservice_a}`),
    };
    window.other = [];
    const integrations = [
      FlagService.analyticsIntegration(instance),
      FlagService.analyticsIntegration({ ...instance, track: () => other.push("track") }, { identify: false }),
    ];
    start({ id: "alice" }, { integrations });
    await until("LOADED");
    client.evaluate("a");
  });
  await service.waitForStreams(1);
  for (const variant of ["off", "on", "off"]) {
    service.change({ a: variant });
    await page.waitForFunction((variant) => client.evaluate("a").is(variant), variant);
  }
  const sent = ["track on", "identify on", "track off", "identify off", "identify on", "identify off"];
  assert.deepEqual(await page.evaluate(() => [calls, other]), [sent, ["track", "track"]]);
  const [again, bob] = await page.evaluate(async () => {
    const integrations = [FlagService.analyticsIntegration(instance)];
    const second = FlagService.init("js-key", { id: "alice" }, { offline: true, integrations });
    second.evaluate("a");
    runCore(second);
    const again = calls.splice(0).length;
    client.updateUser({ id: "bob" });
    await until("LOADED");
    client.evaluate("a");
    client.updateUser({ id: "alice" });
    await until("LOADED");
    client.evaluate("a");
    return [again, calls];
  });
  assert.equal(again, sent.length, "another client of the page finds the property set");
  assert.deepEqual(bob, ["track off", "identify off"], "each user has a property of their own");
});

test("a change of variant or user sends another exposure through analyticsIntegration", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    window.sent = [];
    const integrations = [FlagService.analyticsIntegration({ track: (_name, sent) => window.sent.push(sent.variant) })];
    start({ id: "alice" }, { integrations });
    await until("LOADED");
    client.evaluate("a");
  });
  await service.waitForStreams(1);
  service.change({ a: "blue" });
  await page.waitForFunction(() => client.evaluate("a").is("blue"));
  const sent = await page.evaluate(async () => {
    client.updateUser({ id: "bob" });
    await until("LOADED");
    client.evaluate("a");
    return sent;
  });
  assert.deepEqual(sent, ["on", "blue", "blue"]);
});
