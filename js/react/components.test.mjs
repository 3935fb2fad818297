// What components read: hooks, withFlagService, the status, the test provider, and pages without a provider.
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";

const { service, open, shows } = setupReactTest();

for (const react of Object.keys(REACTS)) {
  test(`${react}: useFeature has is, isOn, isOff and value, and returns the same object for the same variant`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      window.seen = [];
      window.Feature = ({ round }) => {
        const feature = Flags.useFeature("a");
        seen.push(feature);
        return h(
          "p",
          { id: "a" },
          [feature.value(), feature.is("blue"), feature.isOn(), feature.isOff(), round].join(" "),
        );
      };
      window.tree = (round) => provider({ config: { bootstrap: { a: "on" } } }, h(Feature, { round }));
      window.root = mount(tree(1), false);
    });
    await shows(page, "a", "on false true false 1");
    await page.evaluate(() => root.render(tree(2)));
    await shows(page, "a", "on false true false 2");
    assert.equal(await page.evaluate(() => new Set(seen).size), 1);
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue true false false 2");
    service.change({ a: null });
    await shows(page, "a", "off false false true 2");
  });

  test(`${react}: a component renders again only when a feature that it reads changes`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      const IsOn = () => {
        const on = Flags.useIsOn("b");
        commits.isOn = (commits.isOn ?? 0) + 1;
        return h("p", { id: "isOn" }, String(on));
      };
      const Others = () => {
        Flags.useFlagService();
        Flags.useGoal();
        commits.others = (commits.others ?? 0) + 1;
        return null;
      };
      const All = () => {
        const features = Flags.useFeatures();
        commits.all = (commits.all ?? 0) + 1;
        return h("p", { id: "all" }, JSON.stringify(features));
      };
      const parts = [h(Shows, { feature: "a" }), h(IsOn), h(Others), h(All), h(Shows, { feature: "constructor" })];
      mount(provider({ config: { bootstrap: { a: "on", b: "off" } } }, ...parts), false);
    });
    await service.waitForStreams(1);
    const before = await page.evaluate(() => ({ ...commits }));
    assert.deepEqual(before, { a: 1, isOn: 1, others: 1, all: 1, constructor: 1 });
    service.change({ b: "on" });
    await shows(page, "isOn", "true");
    await shows(page, "all", '{"a":"on","b":"on"}');
    assert.deepEqual(await page.evaluate(() => ({ ...commits })), { ...before, isOn: 2, all: 2 });
    assert.equal(await page.evaluate(() => text("constructor")), "off");
  });

  test(`${react}: the status is ready if the client has loaded between rendering and mounting`, async () => {
    const page = await open(react);
    // The response is in the page before React renders, and the client gets it during the rendering.
    await page.evaluate(() => {
      const { fetch } = window;
      const released = new Promise((resolve) => {
        window.release = resolve;
      });
      window.fetch = async (...request) => {
        const response = await fetch(...request);
        const text = await response.text();
        window.isHeld = true;
        await released;
        return new Response(text, response);
      };
      window.client = FlagService.init("js-key", { id: "ada" });
    });
    await page.waitForFunction(() => window.isHeld);
    await page.evaluate(() => {
      window.states = [];
      const State = () => {
        const { status, hasReceivedInitialResponse } = Flags.useFlagServiceStatus();
        states.push(`${status} ${hasReceivedInitialResponse}`);
        React.useEffect(() => {
          window.receivedAtMount ??= client.hasReceivedInitialResponse();
        });
        return h("p", { id: "state" }, states.at(-1));
      };
      // Renderings of a transition give way to other tasks every few milliseconds, for five seconds.
      const Slow = ({ left }) => {
        release();
        if (client.hasReceivedInitialResponse() || left === 0) return null;
        const end = performance.now() + 10;
        while (performance.now() < end);
        return h(Slow, { left: left - 1 });
      };
      const slow = h(Slow, { left: 400 });
      React.startTransition(() => void mount(h(Flags.FlagServiceProvider, { client }, h(State), slow), false));
    });
    await shows(page, "state", "ready true");
    assert.deepEqual(await page.evaluate(() => [states[0], receivedAtMount]), ["loading false", true]);
  });

  test(`${react}: the status changes from loading to ready, to error and back, and is cached after a cache hit`, async () => {
    const page = await open(react);
    const watch = () =>
      page.evaluate(() => {
        window.states = [];
        const State = () => {
          const state = Flags.useFlagServiceStatus();
          React.useEffect(() => {
            states.push([state.status, typeof state.error, state.hasReceivedInitialResponse]);
          }, [state]);
          return h("p", { id: "state" }, state.status);
        };
        window.tree = (id) => provider({ user: { id } }, h(State));
        window.root = mount(tree("ada"), false);
      });
    await watch();
    await shows(page, "state", "ready");
    service.handlers.load = (_request, response) => response.writeHead(404).end();
    await page.evaluate(() => root.render(tree("bob")));
    await shows(page, "state", "error");
    service.handlers = {};
    await page.evaluate(() => root.render(tree("carol")));
    await shows(page, "state", "ready");
    assert.deepEqual(await page.evaluate(() => states), [
      ["loading", "undefined", false],
      ["ready", "undefined", true],
      ["loading", "undefined", true],
      ["error", "string", true],
      ["loading", "undefined", true],
      ["ready", "undefined", true],
    ]);
    await page.evaluate(() => root.unmount());
    service.handlers.load = (_request, response) => response.writeHead(404).end();
    await watch();
    await shows(page, "state", "error");
    assert.deepEqual(
      (await page.evaluate(() => states)).map(([status]) => status),
      ["loading", "cached", "error"],
    );
  });

  test(`${react}: useGoal sends goals, even in an effect of the first render`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      const Buys = () => {
        const goal = Flags.useGoal();
        React.useLayoutEffect(() => goal("seen"), [goal]);
        return h("button", { id: "buy", type: "button", onClick: () => goal("bought") });
      };
      mount(provider({}, h(Buys)), false);
    });
    await page.click("#buy");
    const goals = () => service.requestsOf("goals").flatMap(({ body }) => JSON.parse(body).goals.map(({ key }) => key));
    while (goals().length < 2) await service.waitForRequests("goals", service.requestsOf("goals").length + 1);
    assert.deepEqual(goals(), ["seen", "bought"]);
  });

  test(`${react}: withFlagService passes the client, the features and a ref to a class component`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      class Cart extends React.Component {
        render() {
          const { flagService, features, items } = this.props;
          commits.cart = (commits.cart ?? 0) + 1;
          const values = Object.entries(features).map(([key, feature]) => `${key}=${feature.value()}`);
          return h("p", { id: "cart" }, [items, flagService.getUser().id, ...values].join(" "));
        }
        itself() {
          return "the cart";
        }
      }
      const Wrapped = Flags.withFlagService(Cart, ["a"]);
      window.name = Wrapped.displayName;
      window.ref = React.createRef();
      mount(
        provider({ config: { integrations: [sent], bootstrap: { a: "on" } } }, h(Wrapped, { items: 3, ref })),
        false,
      );
    });
    await service.waitForStreams(1);
    await shows(page, "cart", "3 ada a=on");
    const before = await page.evaluate(() => commits.cart);
    service.change({ b: "on" });
    service.change({ a: "blue" });
    await shows(page, "cart", "3 ada a=blue");
    const seen = await page.evaluate(() => [commits.cart, exposures, ref.current.itself(), name]);
    assert.deepEqual(seen, [before + 1, ["a=on", "a=blue"], "the cart", "withFlagService(Cart)"]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: off without a callback removes the page's listeners, but not those of the components`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      const CaptureClient = () => {
        window.client = Flags.useFlagService();
        return null;
      };
      flushSync(() => mount(provider({}, h(CaptureClient), h(Shows, { feature: "a" }))));
      client.on("UPDATED_FEATURE", () => exposures.push("listener called"));
    });
    await service.waitForStreams(1);
    await page.evaluate(() => client.off("UPDATED_FEATURE"));
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.equal((await page.evaluate(() => exposures)).includes("listener called"), false);
  });

  test(`${react}: the test provider has fixed features, sends no requests, and causes no renders`, async () => {
    const page = await open(react);
    await page.evaluate(async () => {
      window.goals = [];
      const State = () => {
        const { status, hasReceivedInitialResponse } = Flags.useFlagServiceStatus();
        const goal = Flags.useGoal();
        React.useEffect(() => goal("seen"), [goal]);
        commits.state = (commits.state ?? 0) + 1;
        return h(
          "p",
          { id: "state" },
          `${status} ${hasReceivedInitialResponse} ${Flags.useFlagService().getUser().id}`,
        );
      };
      window.tree = (features, props) =>
        h(
          Flags.FlagServiceTestProvider,
          { features, user: { id: "tester" }, onGoal: (key) => goals.push(key), ...props },
          h(Shows, { feature: "a" }),
          h(Shows, { feature: "b" }),
          h(State),
        );
      // React logs an error for updates outside of act.
      window.IS_REACT_ACT_ENVIRONMENT = true;
      window.act = (work) => React.act(async () => work());
      window.root = createRoot(document.body.appendChild(document.createElement("div")));
      await window.act(() => root.render(tree({ a: "on" })));
    });
    await shows(page, "state", "ready true tester");
    assert.deepEqual(await page.evaluate(() => [text("a"), text("b"), { ...commits }, goals]), [
      "on",
      "off",
      { a: 1, b: 1, state: 1 },
      ["seen"],
    ]);
    await page.evaluate(() => act(() => root.render(tree({ a: "blue" }, { status: "error" }))));
    await shows(page, "a", "blue");
    await shows(page, "state", "error true tester");
    assert.deepEqual([service.requests, page.uncaught, page.logs, page.consoleErrors], [[], [], [], []]);
  });

  test(`${react}: without a provider every feature is off, one error is logged, and the page works`, async () => {
    const page = await open(react);
    await page.evaluate(() => {
      mount(h(React.Fragment, null, h(Shows, { feature: "a" }), h(Shows, { feature: "b" })));
    });
    await shows(page, "a", "off");
    await shows(page, "b", "off");
    assert.equal(page.logs.length, 1, page.logs.join("\n"));
    assert.match(page.logs[0], /has no FlagServiceProvider/);
    assert.deepEqual([service.requests, page.uncaught, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: a provider without a client key throws init's TypeError, and invalid settings are reported once`, async () => {
    const page = await open(react);
    const thrown = await page.evaluate(async () => {
      let caught;
      class Boundary extends React.Component {
        static getDerivedStateFromError(error) {
          caught = `${error.name}: ${error.message}`;
          return { failed: true };
        }
        render() {
          return this.state?.failed ? h("p", { id: "failed" }, "failed") : this.props.children;
        }
      }
      const quiet = createRoot(document.body.appendChild(document.createElement("div")), { onCaughtError() {} });
      flushSync(() => quiet.render(h(Boundary, null, provider({ apiKey: "" }))));
      return caught;
    });
    assert.match(thrown, /^TypeError: .*apiKey/);
    const config = { streaming: "yes" };
    await page.evaluate((config) => void mount(provider({ config }, h(Shows, { feature: "a" }))), config);
    await shows(page, "a", "on");
    assert.equal(page.logs.length, 1, page.logs.join("\n"));
    assert.match(page.logs[0], /config\.streaming is ignored/);
  });
}
