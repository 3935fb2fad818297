// A provider with a client that the page has created.
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACTS, setupReactTest } from "../../tests/support/browser/react.mjs";

const { service, open, shows } = setupReactTest();

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

for (const react of Object.keys(REACTS)) {
  test(`${react}: what components show until the next user's features are loaded is no exposure of that user`, async () => {
    const page = await open(react);
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
