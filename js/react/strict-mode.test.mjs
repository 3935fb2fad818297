// StrictMode, Suspense and concurrent rendering: nothing happens twice, and discarded renderings have no effects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";

const { service, open, shows } = setupReactTest();

for (const react of Object.keys(REACTS)) {
  test(`${react}: under StrictMode there is one load, one stream and one exposure`, async () => {
    const page = await open(react);
    await page.evaluate(() => void mount(provider({}, h(Shows, { feature: "a" }))));
    await shows(page, "a", "on");
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.deepEqual([service.requestsOf("load").length, service.requestsOf("stream").length], [1, 1]);
    await page.waitForFunction(() => exposures.length === 3);
    assert.deepEqual(await page.evaluate(() => exposures), ["a=off", "a=on", "a=blue"]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: without WebAssembly, one message is logged, and a component without a provider does not disturb the others`, async () => {
    const page = await open(react, () => {
      delete window.WebAssembly;
    });
    await page.evaluate(() => {
      const outside = h(Shows, { feature: "a", name: "outside" });
      mount(h(React.Fragment, null, outside, provider({}, h(Shows, { feature: "a" }))));
    });
    await shows(page, "a", "on");
    assert.equal(await page.evaluate(() => text("outside")), "off");
    assert.equal(page.logs.length, 2, page.logs.join("\n"));
    assert.match(page.logs[0], /A component has no FlagServiceProvider/);
    assert.match(page.logs[1], /WebAssembly is not available/);
  });

  test(`${react}: a discarded rendering loads nothing, opens no stream and sends no exposure`, async () => {
    const page = await open(react);
    // Loads the core, so that a client could send requests at once.
    await page.evaluate(async () => {
      const client = FlagService.init("js-key", { id: "warm" });
      await new Promise((resolve) => client.on("LOADED", resolve));
      client.close();
      window.root = mount(h("p", { id: "first" }, "first"));
      window.rendered = 0;
      const never = new Promise(() => {});
      window.CaptureClient = () => {
        window.client = Flags.useFlagService();
        return null;
      };
      window.Suspends = () => {
        Flags.useFeature("a");
        window.rendered += 1;
        if (React.use) return React.use(never);
        throw never;
      };
      React.startTransition(() => root.render(h(React.StrictMode, null, provider({}, h(Suspends)))));
    });
    await page.waitForFunction(() => rendered > 0);
    await page.evaluate(() => {
      root.render(
        h(React.StrictMode, null, provider({ user: { id: "bob" } }, h(CaptureClient), h(Shows, { feature: "b" }))),
      );
    });
    await shows(page, "b", "off");
    await page.waitForFunction(() => client.hasReceivedInitialResponse());
    await service.waitForStreams(1);
    const loads = service.requestsOf("load").map(({ body }) => JSON.parse(body).user.id);
    assert.deepEqual([loads, service.streams.size], [["warm", "bob"], 1]);
    await page.waitForFunction(() => exposures.length > 0);
    assert.deepEqual(await page.evaluate(() => exposures), ["b=off"]);
    assert.deepEqual([page.uncaught, page.logs], [[], []]);
  });

  test(`${react}: suspending around the provider, before and after it is on the page, creates no second client`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.renders = 0;
      /** Suspends until `gates[name].open()` is called. */
      window.gates = {};
      const suspendAt = (name) => {
        gates[name] ??= {};
        gates[name].promise ??= new Promise((resolve) => {
          gates[name].open = () => {
            gates[name].done = true;
            resolve();
          };
        });
        if (!gates[name].done) throw gates[name].promise;
      };
      window.Suspends = ({ name, children }) => {
        window.renders += 1;
        if (name) suspendAt(name);
        return children;
      };
      const App = ({ name }) =>
        h(
          React.Suspense,
          { fallback: h("p", { id: "waiting" }, "waiting") },
          provider({ config: { integrations: [sent] } }, h(Suspends, { name }, h(Shows, { feature: "a" }))),
        );
      window.App = App;
      window.root = mount(h(App, { name: "first" }));
    });
    await shows(page, "waiting", "waiting");
    await page.evaluate(() => gates.first.open());
    await shows(page, "a", "on");
    await service.waitForStreams(1);
    // Suspends again while it is on the page: React hides it.
    await page.evaluate(() => root.render(h(React.StrictMode, null, h(App, { name: "second" }))));
    await shows(page, "waiting", "waiting");
    await page.evaluate(() => gates.second.open());
    await page.waitForFunction(() => !document.getElementById("waiting"));
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.ok((await page.evaluate(() => renders)) > 3);
    assert.deepEqual(
      [service.requestsOf("load").length, service.requestsOf("stream").length, service.streams.size],
      [1, 1, 1],
    );
    assert.deepEqual(await page.evaluate(() => exposures), ["a=off", "a=on", "a=blue"]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: a variant in a discarded rendering is not exposed`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.rendered = [];
      window.never = new Promise(() => {});
      window.MaySuspend = ({ suspended }) => {
        const variant = Flags.useFeature(suspended ? "b" : "a").value();
        rendered.push(variant);
        if (suspended) throw never;
        return h("p", { id: "content" }, variant);
      };
      window.tree = (suspended) =>
        provider({}, h(React.Suspense, { fallback: null }, h(MaySuspend, { suspended, key: String(suspended) })));
      window.root = mount(tree(false), false);
    });
    await shows(page, "content", "on");
    await page.evaluate(() => {
      rendered.length = 0;
      React.startTransition(() => root.render(tree(true)));
    });
    await page.waitForFunction(() => rendered.length > 0);
    await page.evaluate(() => flushSync(() => root.render(tree(false))));
    await shows(page, "content", "on");
    assert.deepEqual(await page.evaluate(() => exposures), ["a=off", "a=on"]);
  });

  test(`${react}: a provider that Activity hides and shows keeps its client, which receives updates meanwhile`, {
    skip: react === "React 18" && "React 18 has no Activity",
  }, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.tree = (mode) =>
        h(React.StrictMode, null, h(React.Activity, { mode }, provider({}, h(Shows, { feature: "a" }))));
      window.root = mount(tree("visible"), false);
      window.hidden = () => document.getElementById("a").style.display === "none";
    });
    await shows(page, "a", "on");
    await service.waitForStreams(1);
    await page.evaluate(() => root.render(tree("hidden")));
    await page.waitForFunction(() => hidden());
    service.change({ a: "blue" });
    await page.evaluate(() => root.render(tree("visible")));
    await page.waitForFunction(() => !hidden());
    await shows(page, "a", "blue");
    assert.deepEqual([service.requestsOf("load").length, service.requestsOf("stream").length], [1, 1]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: unmounting closes a client that the provider created, but not one that was passed to it`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.ownClient = FlagService.init("js-own", { id: "own" });
      window.configuredRoot = mount(provider({}, h(Shows, { feature: "a" })));
      window.ownRoot = mount(
        h(Flags.FlagServiceProvider, { client: ownClient }, h(Shows, { feature: "a", name: "own" })),
      );
    });
    await service.waitForStreams(2);
    await shows(page, "own", "on");
    await page.evaluate(() => {
      configuredRoot.unmount();
      ownRoot.unmount();
    });
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await page.waitForFunction(() => ownClient.evaluate("a").is("blue"));
    assert.deepEqual([service.requestsOf("load").length, service.streams.size], [2, 1]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: another client key creates another client, and the components below stay mounted`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.root = mount(provider({ apiKey: "js-one" }, h(Shows, { feature: "a" }), h("input", { id: "input" })));
    });
    await service.waitForStreams(1);
    await page.fill("#input", "typed");
    await page.evaluate(() => {
      root.render(
        h(
          React.StrictMode,
          null,
          provider({ apiKey: "js-two" }, h(Shows, { feature: "a" }), h("input", { id: "input" })),
        ),
      );
    });
    await service.waitForRequests("load", 2);
    await service.waitForRequests("stream", 2);
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.deepEqual(
      service.requestsOf("load").map(({ url }) => url.split("/")[3]),
      ["js-one", "js-two"],
    );
    assert.equal(await page.inputValue("#input"), "typed");
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });
}
