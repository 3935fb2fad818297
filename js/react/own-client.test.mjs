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
}
