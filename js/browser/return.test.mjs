// Pages that were hidden, left or suspended have exactly the server's values when they are back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { inFirefox } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest({ backForwardCache: true });

/** Changes the service's values. Only streams that open from now on get them. */
function changeWhileAway() {
  service.version += 1;
  service.features = { a: "off", c: "on" };
  service.handlers.stream = function (request, response) {
    this.respond_stream(request, response);
    this.send("put", { features: this.features });
  };
}

const CHANGED = { a: "off", b: "off", c: "on" };

async function hasServerValues(page) {
  await page.waitForFunction(() => client.evaluate("c").isOn());
  const [features, log] = await page.evaluate(() => [client.getFeatures(), window.log]);
  assert.deepEqual(features, { a: "off", c: "on" });
  assert.deepEqual(log.slice(3), [["UPDATED_FEATURE", CHANGED]]);
  assert.deepEqual(page.uncaught, []);
}

test("a page restored from the back-forward cache catches up", {
  skip: inFirefox && "Firefox does not cache pages with an open EventSource",
}, async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" });
    for (const name of ["pagehide", "pageshow"]) {
      window.addEventListener(name, ({ persisted }) => navigator.sendBeacon("/collect", `${name} ${persisted}`));
    }
  });
  await service.waitForStreams(1);
  await page.goto(`${service.page}&elsewhere`);
  await service.waitForStreams(0);
  changeWhileAway();
  await page.evaluate(() => setTimeout(() => history.back()));
  const seen = await service.waitForRequests("collect", 2);
  assert.deepEqual(
    seen.map(({ body }) => body),
    ["pagehide true", "pageshow true"],
    "the page was cached alive and restored",
  );
  await hasServerValues(page);
  assert.deepEqual([service.requestsOf("load").length, service.requestsOf("stream").length], [1, 2]);
});

test("a page that was reloaded on return catches up", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    // Pages with an unload listener do not go to the back-forward cache.
    window.addEventListener("unload", () => {});
    start({ id: "alice" });
  });
  await service.waitForStreams(1);
  await page.goto("about:blank");
  await service.waitForStreams(0);
  changeWhileAway();
  await page.goto(service.page);
  const features = await page.evaluate(async () => {
    const client = FlagService.init("js-key", { id: "alice" });
    await new Promise((resolve) => client.on("LOADED", resolve));
    return client.getFeatures();
  });
  assert.deepEqual(features, { a: "off", c: "on" });
});

/**
 * In the page, before its scripts: `sleep(ms)` simulates a suspended computer. Afterwards the clock has advanced, and each timer
 * that is due fires once. (The driver's own clock gives timers ids that no browser gives.)
 */
function simulateSleep() {
  const { setTimeout, clearTimeout } = window;
  const { now } = Date;
  const timers = new Map();
  let slept = 0;
  Date.now = () => now() + slept;
  window.setTimeout = (callback, ms) => {
    const fire = () => {
      timers.delete(id);
      callback();
    };
    const id = setTimeout(fire, ms);
    timers.set(id, { dueAt: Date.now() + ms, fire });
    return id;
  };
  window.clearTimeout = (id) => {
    timers.delete(id);
    clearTimeout(id);
  };
  window.sleep = (ms) => {
    slept += ms;
    const due = [...timers].filter(([, { dueAt }]) => dueAt <= Date.now());
    for (const [id, { fire }] of due.sort(([, a], [, b]) => a.dueAt - b.dueAt)) {
      if (!timers.has(id)) continue;
      clearTimeout(id);
      fire();
    }
    return due.length;
  };
}

test("a tab suspended for an hour reopens its stream and catches up", async () => {
  const page = await browser.open(service, simulateSleep);
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForStreams(1);
  // The old connection stays open but sends nothing.
  changeWhileAway();
  assert.ok((await page.evaluate(() => sleep(3_600_000))) > 0, "timers of the client were due");
  await hasServerValues(page);
  assert.deepEqual([service.requestsOf("load").length, service.requestsOf("stream").length], [1, 2]);
});
