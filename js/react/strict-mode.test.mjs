// StrictMode, Suspense and concurrent rendering: nothing is done twice, and what was never on the page leaves nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";

const { service, open, shows } = setupReactTest();

for (const react of Object.keys(REACTS)) {
  test(`${react}: under StrictMode there is one load, one stream and one exposure`, async () => {
    const page = await open(react);
    await page.evaluate(() => void mount(provider({}, h(Shows, { feature: "a" }))));
    await shows(page, "a", "on");
    await service.open(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.deepEqual([service.of("load").length, service.of("stream").length], [1, 1]);
    await page.waitForFunction(() => exposures.length === 3);
    assert.deepEqual(await page.evaluate(() => exposures), ["a=off", "a=on", "a=blue"]);
    assert.deepEqual([page.wrongs, page.lines, page.complaints], [[], [], []]);
  });

  test(`${react}: an abandoned rendering loads nothing, opens no stream and sends no exposure`, async () => {
    const page = await open(react);
    // The core is there, so that a client could ask at once.
    await page.evaluate(async () => {
      const client = FlagService.init("js-key", { id: "warm" });
      await new Promise((resolve) => client.on("LOADED", resolve));
      client.close();
      window.root = mount(h("p", { id: "first" }, "first"));
      window.rendered = 0;
      const never = new Promise(() => {});
      window.Keeps = () => {
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
      root.render(h(React.StrictMode, null, provider({ user: { id: "bob" } }, h(Keeps), h(Shows, { feature: "b" }))));
    });
    await shows(page, "b", "off");
    await page.waitForFunction(() => client.hasReceivedInitialResponse());
    await service.open(1);
    const loads = service.of("load").map(({ body }) => JSON.parse(body).user.id);
    assert.deepEqual([loads, service.streams.size], [["warm", "bob"], 1]);
    await page.waitForFunction(() => exposures.length > 0);
    assert.deepEqual(await page.evaluate(() => exposures), ["b=off"]);
    assert.deepEqual([page.wrongs, page.lines], [[], []]);
  });

  test(`${react}: what suspends around the provider, before and after it is on the page, makes no second client`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.tries = 0;
      /** Suspends until it is let go on. */
      window.gates = {};
      const gate = (name) => {
        gates[name] ??= {};
        gates[name].promise ??= new Promise((resolve) => {
          gates[name].open = () => {
            gates[name].done = true;
            resolve();
          };
        });
        if (!gates[name].done) throw gates[name].promise;
      };
      window.Waits = ({ name, children }) => {
        window.tries += 1;
        if (name) gate(name);
        return children;
      };
      const App = ({ name }) =>
        h(
          React.Suspense,
          { fallback: h("p", { id: "waiting" }, "waiting") },
          provider({ config: { integrations: [sent] } }, h(Waits, { name }, h(Shows, { feature: "a" }))),
        );
      window.App = App;
      window.root = mount(h(App, { name: "first" }));
    });
    await shows(page, "waiting", "waiting");
    await page.evaluate(() => gates.first.open());
    await shows(page, "a", "on");
    await service.open(1);
    // Again, now that it is on the page: React hides it.
    await page.evaluate(() => root.render(h(React.StrictMode, null, h(App, { name: "second" }))));
    await shows(page, "waiting", "waiting");
    await page.evaluate(() => gates.second.open());
    await page.waitForFunction(() => !document.getElementById("waiting"));
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.ok((await page.evaluate(() => tries)) > 3);
    assert.deepEqual([service.of("load").length, service.of("stream").length, service.streams.size], [1, 1, 1]);
    assert.deepEqual(await page.evaluate(() => exposures), ["a=off", "a=on", "a=blue"]);
    assert.deepEqual([page.wrongs, page.lines, page.complaints], [[], [], []]);
  });

  test(`${react}: a variant that a rendering saw, and that was never on the page, is no exposure`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.seen = [];
      window.never = new Promise(() => {});
      window.Half = ({ suspended }) => {
        const variant = Flags.useFeature(suspended ? "b" : "a").value();
        seen.push(variant);
        if (suspended) throw never;
        return h("p", { id: "half" }, variant);
      };
      window.tree = (suspended) =>
        provider({}, h(React.Suspense, { fallback: null }, h(Half, { suspended, key: String(suspended) })));
      window.root = mount(tree(false), false);
    });
    await shows(page, "half", "on");
    await page.evaluate(() => {
      seen.length = 0;
      React.startTransition(() => root.render(tree(true)));
    });
    await page.waitForFunction(() => seen.length > 0);
    await page.evaluate(() => flushSync(() => root.render(tree(false))));
    await shows(page, "half", "on");
    assert.deepEqual(await page.evaluate(() => exposures), ["a=off", "a=on"]);
  });

  test(`${react}: what Activity hides and shows again keeps its client, and has moved meanwhile`, {
    skip: react === "React 18" && "it has no Activity",
  }, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.tree = (mode) =>
        h(React.StrictMode, null, h(React.Activity, { mode }, provider({}, h(Shows, { feature: "a" }))));
      window.root = mount(tree("visible"), false);
      window.hidden = () => document.getElementById("a").style.display === "none";
    });
    await shows(page, "a", "on");
    await service.open(1);
    await page.evaluate(() => root.render(tree("hidden")));
    await page.waitForFunction(() => hidden());
    service.change({ a: "blue" });
    await page.evaluate(() => root.render(tree("visible")));
    await page.waitForFunction(() => !hidden());
    await shows(page, "a", "blue");
    assert.deepEqual([service.of("load").length, service.of("stream").length], [1, 1]);
    assert.deepEqual([page.wrongs, page.lines, page.complaints], [[], [], []]);
  });

  test(`${react}: unmounting closes the client that the provider made, and leaves one that it was given`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.given = FlagService.init("js-given", { id: "given" });
      window.made = mount(provider({}, h(Shows, { feature: "a" })));
      window.over = mount(h(Flags.FlagServiceProvider, { client: given }, h(Shows, { feature: "a", name: "over" })));
    });
    await service.open(2);
    await shows(page, "over", "on");
    await page.evaluate(() => {
      made.unmount();
      over.unmount();
    });
    await service.open(1);
    service.change({ a: "blue" });
    await page.waitForFunction(() => given.evaluate("a").is("blue"));
    assert.deepEqual([service.of("load").length, service.streams.size], [2, 1]);
    assert.deepEqual([page.wrongs, page.lines, page.complaints], [[], [], []]);
  });

  test(`${react}: another client key makes another client, and what is below stays mounted`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.root = mount(provider({ apiKey: "js-one" }, h(Shows, { feature: "a" }), h("input", { id: "input" })));
    });
    await service.open(1);
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
    await service.asked("load", 2);
    await service.asked("stream", 2);
    await service.open(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.deepEqual(
      service.of("load").map(({ url }) => url.split("/")[3]),
      ["js-one", "js-two"],
    );
    assert.equal(await page.inputValue("#input"), "typed");
    assert.deepEqual([page.wrongs, page.lines, page.complaints], [[], [], []]);
  });
}
