// Exposures: sent when a component that shows the variant is on the page, once for each user, flag and variant.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";

const { service, open, shows } = setupReactTest();

for (const react of Object.keys(REACTS)) {
  test(`${react}: only a change of variant or user sends another exposure`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.sent = Flags.exposureIntegration(({ key, variant }) =>
        exposures.push([client.getUser().id, key, variant]),
      );
      const CaptureClient = () => {
        window.client = Flags.useFlagService();
        return null;
      };
      window.tree = (id, round) =>
        provider(
          { user: { id }, config: { integrations: [sent], defaultFeatures: { a: "on" } } },
          h(CaptureClient),
          h(Shows, { feature: "a", round }),
          h(Shows, { feature: "a", name: "again", round }),
        );
      window.root = mount(tree("ada", 0));
    });
    await shows(page, "a", "on");
    await service.waitForStreams(1);
    await page.evaluate(() => {
      for (let round = 1; round < 4; round++)
        flushSync(() => root.render(h(React.StrictMode, null, tree("ada", round))));
    });
    const expected = [["ada", "a", "on"]];
    assert.deepEqual(await page.evaluate(() => exposures), expected);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    await page.waitForFunction(() => exposures.length === 2);
    service.change({ a: "on" });
    await shows(page, "a", "on");
    // Bob has the variant that is shown already: no component renders again, and yet this user has seen it.
    await page.evaluate(() => {
      window.before = { ...commits };
      root.render(h(React.StrictMode, null, tree("bob", 3)));
    });
    await service.waitForRequests("load", 2);
    await page.waitForFunction(() => exposures.length === 3);
    expected.push(["ada", "a", "blue"], ["bob", "a", "on"]);
    assert.deepEqual(await page.evaluate(() => exposures), expected);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: features that are no longer shown are not exposed, and useFeatures exposes nothing`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      const All = () => h("p", { id: "all" }, Flags.useFeatures().b);
      window.tree = (shown, id = "ada") => provider({ user: { id } }, h(All), shown && h(Shows, { feature: "c" }));
      window.root = mount(tree(true), false);
    });
    await shows(page, "c", "off");
    await service.waitForStreams(1);
    await page.evaluate(() => flushSync(() => root.render(tree(false))));
    service.change({ a: "blue", b: "red", c: "blue" });
    await shows(page, "all", "red");
    service.change({ b: "green", c: null });
    await shows(page, "all", "green");
    // Another user does not cause an exposure of it either.
    await page.evaluate(() => flushSync(() => root.render(tree(false, "bob"))));
    await service.waitForRequests("load", 2);
    await shows(page, "all", "green");
    assert.deepEqual(await page.evaluate(() => exposures), ["c=off"]);
  });

  test(`${react}: an error thrown by an integration or listener does not reach components`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      const fail = () => {
        throw new Error("thrown by the page");
      };
      const Fails = () => {
        const client = Flags.useFlagService();
        React.useEffect(() => {
          for (const name of ["INIT", "EVALUATION", "UPDATED_FEATURE"]) client.on(name, fail);
        }, [client]);
        return null;
      };
      const integrations = [Flags.exposureIntegration(fail), Flags.exposureIntegration(() => {}, { flags: fail })];
      const logger = { warn() {}, error: (message) => exposures.push(message) };
      mount(provider({ config: { integrations, logger } }, h(Fails), h(Shows, { feature: "a" })));
    });
    await shows(page, "a", "on");
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.ok((await page.evaluate(() => exposures)).some((line) => line.includes("A listener of UPDATED_FEATURE")));
    assert.deepEqual([page.uncaught, page.consoleErrors], [[], []]);
  });

  test(`${react}: the analytics SDK sends one $exposure and sets the user property once, under StrictMode`, async () => {
    const contents = `
      import * as analytics from "@amplitude/analytics-browser";
      const quiet = { autocapture: false, remoteConfig: { fetchRemoteConfig: false }, flushIntervalMillis: 1 };
      window.analytics = analytics;
      window.ready = analytics.init("key", "the-user", { serverUrl: location.origin + "/collect", ...quiet }).promise;`;
    const bundle = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: "iife",
    });
    service.scripts["/analytics.js"] = bundle.outputFiles[0].text;
    const page = await open(react);
    await page.addScriptTag({ url: "/analytics.js" });
    await page.evaluate(async () => {
      await ready;
      const shown = Array.from({ length: 20 }, (_, place) => h(Shows, { feature: "a", name: `a${place}`, key: place }));
      const App = () =>
        provider(
          { config: { bootstrap: { a: "on" }, integrations: [Flags.analyticsIntegration(analytics)] } },
          ...shown,
        );
      window.root = mount(h(App));
    });
    await service.waitForStreams(1);
    await page.evaluate(() => {
      root.unmount();
      analytics.track("end");
    });
    const events = () => service.requestsOf("collect").flatMap(({ body }) => JSON.parse(body).events);
    while (!events().some(({ event_type }) => event_type === "end")) {
      await service.waitForRequests("collect", service.requestsOf("collect").length + 1);
    }
    const facts = events().map(({ event_type, event_properties, user_properties }) => [
      event_type,
      event_type === "$identify" ? user_properties : event_properties,
    ]);
    assert.deepEqual(
      facts.filter(([type]) => type.startsWith("$")),
      [
        ["$exposure", { flag_key: "a", variant: "on" }],
        ["$identify", { $set: { flagservice_a: "on" } }],
      ],
    );
    assert.deepEqual([page.uncaught, page.consoleErrors], [[], []]);
  });
}
