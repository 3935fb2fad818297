// close: what it ends, and what is left.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

/** In the page, before its scripts: what listens to window and document, and which waits are on. */
function account() {
  window.listening = new Set();
  window.waits = new Set();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const isPage = (target) => target === undefined || target === window || target === document;
  EventTarget.prototype.addEventListener = function (name, callback, ...options) {
    if (isPage(this)) window.listening.add(callback);
    return addEventListener.call(this, name, callback, ...options);
  };
  EventTarget.prototype.removeEventListener = function (name, callback, ...options) {
    if (isPage(this)) window.listening.delete(callback);
    return removeEventListener.call(this, name, callback, ...options);
  };
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (elapsed, ms, ...args) => {
    const ended = (...args) => {
      window.waits.delete(id);
      elapsed(...args);
    };
    const id = setTimeout(ended, ms, ...args);
    window.waits.add(id);
    return id;
  };
  window.clearTimeout = (id) => {
    window.waits.delete(id);
    clearTimeout(id);
  };
}

test("close ends the stream, every timer, and every listener on window and document", async () => {
  const page = await browser.open(service, account);
  const before = await page.evaluate(() => [listening.size, waits.size]);
  await page.evaluate(() => start({ id: "alice" }));
  await service.open(1);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const [listened, waited] = await page.evaluate(() => [listening.size, waits.size]);
  assert.ok(listened >= before[0] + 4, "visibilitychange, pageshow, pagehide and online are listened to");
  assert.ok(waited >= before[1] + 2, "silence and the hidden tab are waited for");
  const after = await page.evaluate(() => {
    client.close();
    return [listening.size, waits.size];
  });
  assert.deepEqual(after, before);
  await service.open(0);
});

test("close ends stream and request, and evaluate still answers", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await service.open(1);
  const seen = await page.evaluate(() => {
    client.close();
    client.close();
    client.on("EVALUATION", () => log.push("heard"));
    client.updateUser({ id: "bob" });
    client.goal("purchase");
    return [client.evaluate("a").value(), client.getFeatures(), client.getUser(), log.length];
  });
  await service.open(0);
  assert.deepEqual(seen, ["on", { a: "on", b: "off" }, { id: "alice" }, 3]);
  assert.deepEqual(page.wrongs, []);
});

test("close ends the request under way, and the wait for the next one", async () => {
  service.answer.load = () => {};
  const page = await browser.open(service, account);
  const before = await page.evaluate(() => waits.size);
  await page.evaluate(() => start({ id: "alice" }));
  await service.asked("load");
  const given = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/load"));
  assert.equal(await page.evaluate(() => waits.size), before + 1, "the load has a timeout");
  await page.evaluate(() => client.close());
  await given;
  service.answer.load = (_request, response) => response.writeHead(503).end();
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("ERROR");
    client.close();
  });
  assert.equal(await page.evaluate(() => waits.size), before);
});

test("after close no event fires any more, no callback is called, and evaluate answers", async () => {
  const held = [];
  service.answer.load = (_request, response) => held.push(response);
  const page = await browser.open(service);
  await page.evaluate(() => {
    window.sent = [];
    const integrations = [FlagService.exposureIntegration((exposure) => sent.push(exposure))];
    start({ id: "alice" }, { defaultFeatures: { a: "def" }, integrations });
    client.on("EVALUATION", () => log.push(["EVALUATION"]));
  });
  await service.asked("load");
  const replaced = page.waitForEvent("requestfailed");
  await page.evaluate(() => client.updateUser({ id: "bob" }, () => log.push(["callback"])));
  await replaced;
  await service.asked("load", 2);
  const ended = page.waitForEvent("requestfailed");
  await page.evaluate(() => client.close());
  await ended;
  for (const response of held) response.end(service.loaded());
  const seen = await page.evaluate(async () => {
    // Another client, of whose events the first one would have had its share before.
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
  assert.equal(service.of("load").length, 2);
  assert.equal(service.of("goals").length, 0);
  assert.deepEqual(page.wrongs, []);
  assert.deepEqual(page.lines, []);
});

test("a listener may close the client, and those after it are not called", async () => {
  service.answer.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: this.features, since: this.since, token: id }));
  };
  const page = await browser.open(service);
  const told = await page.evaluate(async () => {
    const told = [];
    const closed = FlagService.init("js-key", { id: "alice" });
    await new Promise((resolve) => {
      closed.on("INIT", () => {
        told.push("INIT");
        closed.close();
        resolve();
      });
      for (const name of ["INIT", "LOADED"]) closed.on(name, () => told.push(`${name} after close`));
    });
    start({ id: "bob" });
    await until("LOADED");
    return [told, closed.evaluate("a").value()];
  });
  assert.deepEqual(told, [["INIT"], "on"]);
  const ofBob = () => service.of("stream").some(({ url }) => url.includes("token=bob"));
  while (!ofBob()) await service.asked("stream", service.of("stream").length + 1);
  // Whatever was opened when the listener closed its client is closed too.
  await service.open(1);
  assert.deepEqual(page.wrongs, []);
});
