// close: what it ends, and what still works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutNetwork } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

/** In the page, before its scripts: records the listeners on window and document, and the running timers. */
function recordListenersAndTimers() {
  window.listening = new Set();
  window.timers = new Set();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const isPage = (target) => target === undefined || target === window || target === document;
  EventTarget.prototype.addEventListener = function (name, callback, ...options) {
    if (isPage(this)) {
      window.listening.add(callback);
      options[0]?.signal?.addEventListener("abort", () => window.listening.delete(callback));
    }
    return addEventListener.call(this, name, callback, ...options);
  };
  EventTarget.prototype.removeEventListener = function (name, callback, ...options) {
    if (isPage(this)) window.listening.delete(callback);
    return removeEventListener.call(this, name, callback, ...options);
  };
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (callback, ms, ...args) => {
    const fire = (...args) => {
      window.timers.delete(id);
      callback(...args);
    };
    const id = setTimeout(fire, ms, ...args);
    window.timers.add(id);
    return id;
  };
  window.clearTimeout = (id) => {
    window.timers.delete(id);
    clearTimeout(id);
  };
}

test("close ends the stream and removes every timer and every listener on window and document", async () => {
  const page = await browser.open(service, recordListenersAndTimers);
  const before = await page.evaluate(() => [listening.size, timers.size]);
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForStreams(1);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const [listeners, timerCount] = await page.evaluate(() => [listening.size, timers.size]);
  assert.ok(listeners >= before[0] + 4, "listeners for visibilitychange, pageshow, pagehide and online");
  assert.ok(timerCount >= before[1] + 2, "timers for silence and for the hidden tab");
  const after = await page.evaluate(() => {
    client.close();
    return [listening.size, timers.size];
  });
  assert.deepEqual(after, before);
  await service.waitForStreams(0);
});

test("close ends the stream, and evaluate still answers", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await service.waitForStreams(1);
  const seen = await page.evaluate(() => {
    client.close();
    client.close();
    client.on("EVALUATION", () => log.push("EVALUATION"));
    client.updateUser({ id: "bob" });
    client.goal("purchase");
    return [client.evaluate("a").value(), client.getFeatures(), client.getUser(), log.length];
  });
  await service.waitForStreams(0);
  assert.deepEqual(seen, ["on", { a: "on", b: "off" }, { id: "alice" }, 3]);
  assert.deepEqual(page.uncaught, []);
});

test("close aborts the load in flight and cancels the next one", { skip: withoutNetwork }, async () => {
  service.handlers.load = () => {};
  const page = await browser.open(service, recordListenersAndTimers);
  const before = await page.evaluate(() => timers.size);
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForRequests("load");
  const aborted = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/load"));
  assert.equal(await page.evaluate(() => timers.size), before + 1, "the load has a timeout");
  await page.evaluate(() => client.close());
  await aborted;
  service.handlers.load = (_request, response) => response.writeHead(503).end();
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("ERROR");
    client.close();
  });
  assert.equal(await page.evaluate(() => timers.size), before);
});

test("after close no event fires, no callback is called, and evaluate answers", { skip: withoutNetwork }, async () => {
  const responses = [];
  service.handlers.load = (_request, response) => responses.push(response);
  const page = await browser.open(service);
  await page.evaluate(() => {
    window.sent = [];
    const integrations = [FlagService.exposureIntegration((exposure) => sent.push(exposure))];
    start({ id: "alice" }, { defaultFeatures: { a: "def" }, integrations });
    client.on("EVALUATION", () => log.push(["EVALUATION"]));
  });
  await service.waitForRequests("load");
  const replaced = page.waitForEvent("requestfailed");
  await page.evaluate(() => client.updateUser({ id: "bob" }, () => log.push(["callback"])));
  await replaced;
  await service.waitForRequests("load", 2);
  const aborted = page.waitForEvent("requestfailed");
  await page.evaluate(() => client.close());
  await aborted;
  for (const response of responses) response.end(service.loadBody());
  const seen = await page.evaluate(async () => {
    // Another client. By the time that its events fire, the first one would have fired its own.
    const other = FlagService.init("js-key", { id: "carol" }, { offline: true });
    await new Promise((resolve) => other.on("LOADED", resolve));
    for (const name of ["online", "pageshow", "pagehide"]) window.dispatchEvent(new Event(name));
    document.dispatchEvent(new Event("visibilitychange"));
    client.goal("purchase");
    client.updateUser({ id: "dave" }, () => log.push(["callback"]));
    client.resetAnonymousId();
    return [client.evaluate("a").value(), client.evaluate("x").value(), client.getUser(), log, sent];
  });
  assert.deepEqual(seen, ["def", "off", { id: "bob" }, ["returned"], []]);
  assert.equal(service.requestsOf("load").length, 2);
  assert.equal(service.requestsOf("goals").length, 0);
  assert.deepEqual(page.uncaught, []);
  assert.deepEqual(page.logs, []);
});

test("a listener may close the client, and later listeners are not called", async () => {
  service.handlers.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: this.features, since: this.since, token: id }));
  };
  const page = await browser.open(service);
  const events = await page.evaluate(async () => {
    const events = [];
    const closed = FlagService.init("js-key", { id: "alice" });
    await new Promise((resolve) => {
      closed.on("INIT", () => {
        events.push("INIT");
        closed.close();
        resolve();
      });
      for (const name of ["INIT", "LOADED"]) closed.on(name, () => events.push(`${name} after close`));
    });
    start({ id: "bob" });
    await until("LOADED");
    return [events, closed.evaluate("a").value()];
  });
  assert.deepEqual(events, [["INIT"], "on"]);
  const bobHasStream = () => service.requestsOf("stream").some(({ url }) => url.includes("token=bob"));
  while (!bobHasStream()) await service.waitForRequests("stream", service.requestsOf("stream").length + 1);
  // A stream that was opened when the listener closed its client is closed too.
  await service.waitForStreams(1);
  assert.deepEqual(page.uncaught, []);
});
