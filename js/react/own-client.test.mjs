// A provider with a client that the page has created.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { loadOnServer, REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";
import { withoutRequestTimeouts } from "../../tests/support/browser/request-timeouts.mjs";

const { service, open, shows } = setupReactTest();
const servers = {};

before(async () => {
  for (const version of Object.keys(REACTS)) servers[version] = await loadOnServer(version);
});

/** In the page: a client that has loaded, which records who was exposed to what, and an application that uses it. */
function prepareOwnClient() {
  window.sentFor = [];
  const record = ({ key, variant }) => sentFor.push(`${client.getUser().id} ${key}=${variant}`);
  window.client = FlagService.init("js-key", { id: "ada" }, { integrations: [Flags.exposureIntegration(record)] });
  window.own = (...children) => h(Flags.FlagServiceProvider, { client }, ...children);
  return new Promise((resolve) => client.on("LOADED", () => resolve()));
}

/** Loads wait until the returned function is called. */
function holdLoads() {
  let respond;
  service.handlers.load = (_request, response) => {
    respond = () => response.end(service.loadBody());
  };
  return () => respond();
}

/** In the page: mounts a provider for a client that had events before, and returns the status that it shows first. */
function firstStatus() {
  const State = () => {
    const { status, error, hasReceivedInitialResponse } = Flags.useFlagServiceStatus();
    return h("p", { id: "state" }, [status, error, hasReceivedInitialResponse].join());
  };
  window.root?.unmount();
  flushSync(() => {
    window.root = mount(own(h(State)), false);
  });
  return text("state");
}

/** An application of three features, for the server and the page. */
const application = ({ React: { createElement: h }, Flags, FlagService }, config, bootstrap) => {
  const client = FlagService.init("js-key", { id: "ada" }, config);
  const Shows = ({ feature }) => h("p", { id: feature }, Flags.useFeature(feature).value());
  const features = ["a", "b", "c"].map((feature) => h(Shows, { feature, key: feature }));
  return h(Flags.FlagServiceProvider, { client, bootstrap }, features);
};

/** Hydrates the server's HTML, and returns what React reports. */
function hydrate(page, html, ...settings) {
  return page.evaluate(
    ([html, settings, source]) => {
      const place = document.body.appendChild(document.createElement("div"));
      place.innerHTML = html;
      window.failures = [];
      // biome-ignore lint/security/noGlobalEval: runs the same source as the server.
      const application = eval(source);
      const onRecoverableError = (error) => failures.push(String(error));
      flushSync(() => hydrateRoot(place, application(all, ...settings), { onRecoverableError }));
      return failures;
    },
    [html, settings, application.toString()],
  );
}

for (const react of Object.keys(REACTS)) {
  test(`${react}: what components show until the next user's features are loaded is no exposure of that user`, async () => {
    const page = await open(react, withoutRequestTimeouts);
    await page.evaluate(prepareOwnClient);
    const respond = holdLoads();
    service.features = { a: "blue", b: "off" };
    const shown = await page.evaluate(() => {
      const tree = (...children) => own(h("p", { id: "there" }, "there"), ...children);
      const root = mount(tree(), false);
      flushSync(() => root.render(tree()));
      client.updateUser({ id: "bob" });
      flushSync(() => root.render(tree(h(Shows, { feature: "a" }), h(Shows, { feature: "b" }))));
      return [text("a"), text("b"), commits.a, commits.b, sentFor];
    });
    assert.deepEqual(shown, ["on", "off", 1, 1, []]);
    await service.waitForRequests("load", 2);
    respond();
    await shows(page, "a", "blue");
    await page.waitForFunction(() => sentFor.length === 2);
    assert.deepEqual(await page.evaluate(() => sentFor.sort()), ["bob a=blue", "bob b=off"]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: off without a callback does not remove the components' listeners from the page's client either`, async () => {
    const page = await open(react);
    await page.evaluate(prepareOwnClient);
    await page.evaluate(() => {
      const CaptureClient = () => {
        window.used = Flags.useFlagService();
        return null;
      };
      flushSync(() => mount(own(h(CaptureClient), h(Shows, { feature: "a" }))));
      window.called = [];
      client.on("UPDATED_FEATURE", () => called.push("listener of the page"));
      used.off("UPDATED_FEATURE");
    });
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.deepEqual(await page.evaluate(() => called), []);
  });

  test(`${react}: updateUser of the client from useFlagService changes components at once, also if the client is the page's`, async () => {
    const page = await open(react);
    await page.evaluate(prepareOwnClient);
    holdLoads();
    const shown = await page.evaluate(() => {
      const State = () => {
        window.used = Flags.useFlagService();
        return h("p", { id: "state" }, Flags.useFlagServiceStatus().status);
      };
      flushSync(() => mount(own(h(State), h(Shows, { feature: "a" }))));
      const before = [text("a"), text("state")];
      flushSync(() => used.updateUser({ id: "bob" }));
      return [before, [text("a"), text("state")], client.getUser().id];
    });
    assert.deepEqual(shown, [["on", "ready"], ["off", "loading"], "bob"]);
  });

  test(`${react}: a provider that is mounted after the events has the status of the current user's load`, async () => {
    const page = await open(react, withoutRequestTimeouts);
    await page.evaluate(prepareOwnClient);
    assert.deepEqual(await page.evaluate(firstStatus), "ready,,true");
    const respond = holdLoads();
    await page.evaluate(() => client.updateUser({ id: "bob" }));
    await service.waitForRequests("load", 2);
    assert.deepEqual(await page.evaluate(firstStatus), "loading,,true");
    respond();
    await shows(page, "state", "ready,,true");
    service.handlers.load = (_request, response) => response.writeHead(401).end();
    await page.evaluate(() => new Promise((resolve) => client.updateUser({ id: "carol" }, resolve)));
    assert.deepEqual(await page.evaluate(firstStatus), "error,Features could not be loaded.,true");
    await page.evaluate(() => {
      window.client = FlagService.init("js-key", { id: "dan" });
      return new Promise((resolve) => client.on("ERROR", resolve));
    });
    assert.deepEqual(await page.evaluate(firstStatus), "error,Features could not be loaded.,true");
    assert.deepEqual([page.uncaught, page.consoleErrors], [[], []]);
  });

  test(`${react}: a server-rendered page hydrates with bootstrap and defaults, and then shows the cached features`, async () => {
    const page = await open(react, withoutRequestTimeouts);
    service.features = { a: "blue", b: "blue" };
    await page.evaluate(prepareOwnClient);
    await page.evaluate(() => client.close());
    service.handlers.load = () => {};
    const { renderToString } = servers[react];
    const config = { defaultFeatures: { b: "black", c: "grey" } };
    const html = renderToString(application(servers[react], config));
    assert.equal(html, '<p id="a">off</p><p id="b">black</p><p id="c">grey</p>');
    assert.deepEqual(await hydrate(page, html, config), []);
    await shows(page, "a", "blue");
    assert.deepEqual(await page.evaluate(() => [text("b"), text("c")]), ["blue", "grey"]);
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: the provider's bootstrap goes before the defaults of the client`, async () => {
    const page = await open(react);
    const settings = [{ defaultFeatures: { b: "black", c: "grey" } }, { a: "red", b: "red" }];
    const html = servers[react].renderToString(application(servers[react], ...settings));
    assert.equal(html, '<p id="a">red</p><p id="b">red</p><p id="c">grey</p>');
    assert.deepEqual(await hydrate(page, html, ...settings), []);
    await shows(page, "a", "on");
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });

  test(`${react}: a client may be an object of a class that the page has written`, async () => {
    const page = await open(react);
    await page.evaluate(async () => {
      class Wrapper {
        constructor(client) {
          this.client = client;
        }
        evaluate(key) {
          return this.client.evaluate(key);
        }
        evaluateAll() {
          return this.client.evaluateAll();
        }
        getUser() {
          return this.client.getUser();
        }
        hasReceivedInitialResponse() {
          return this.client.hasReceivedInitialResponse();
        }
        on(...listener) {
          this.client.on(...listener);
        }
        off(...listener) {
          this.client.off(...listener);
        }
      }
      const client = FlagService.init("js-key", { id: "ada" });
      await new Promise((resolve) => client.on("LOADED", resolve));
      const Id = () => h("p", { id: "id" }, Flags.useFlagService().getUser().id);
      const wrapper = new Wrapper(client);
      mount(h(Flags.FlagServiceProvider, { client: wrapper }, h(Id), h(Shows, { feature: "a" })), false);
    });
    await shows(page, "id", "ada");
    await service.waitForStreams(1);
    service.change({ a: "blue" });
    await shows(page, "a", "blue");
    assert.deepEqual([page.uncaught, page.logs, page.consoleErrors], [[], [], []]);
  });
}
