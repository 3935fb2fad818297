// A page that nobody saw for a while, put away or asleep, ends with exactly the server's values when it is back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { inFirefox } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

/** What the page knows, and the server's next values, which are told only to a stream that opens from now on. */
function moveOn() {
  service.version += 1;
  service.features = { a: "off", c: "on" };
  service.answer.stream = function (request, response) {
    this.answer_stream(request, response);
    this.send("put", { features: this.features });
  };
}

const CHANGED = { a: "off", b: "off", c: "on" };

async function endsRight(page) {
  await page.waitForFunction(() => client.evaluate("c").isOn());
  const [features, log] = await page.evaluate(() => [client.getFeatures(), window.log]);
  assert.deepEqual(features, { a: "off", c: "on" });
  assert.deepEqual(log.slice(3), [["UPDATED_FEATURE", CHANGED]]);
  assert.deepEqual(page.wrongs, []);
}

test("a page restored from the back-forward cache catches up", {
  skip: inFirefox && "Firefox keeps no page that has an EventSource open",
}, async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    start({ id: "alice" });
    for (const name of ["pagehide", "pageshow"]) {
      window.addEventListener(name, ({ persisted }) => navigator.sendBeacon("/collect", `${name} ${persisted}`));
    }
  });
  await service.open(1);
  await page.goto(`${service.page}&elsewhere`);
  await service.open(0);
  moveOn();
  await page.evaluate(() => setTimeout(() => history.back()));
  const seen = await service.asked("collect", 2);
  assert.deepEqual(
    seen.map(({ body }) => body),
    ["pagehide true", "pageshow true"],
    "the page was put away alive and came back",
  );
  await endsRight(page);
  assert.deepEqual([service.of("load").length, service.of("stream").length], [1, 2]);
});

test("a page that comes back without having been kept catches up", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    // Keeps the page out of the back-forward cache.
    window.addEventListener("unload", () => {});
    start({ id: "alice" });
  });
  await service.open(1);
  await page.goto("about:blank");
  await service.open(0);
  moveOn();
  await page.goto(service.page);
  const features = await page.evaluate(async () => {
    const client = FlagService.init("js-key", { id: "alice" });
    await new Promise((resolve) => client.on("LOADED", resolve));
    return client.getFeatures();
  });
  assert.deepEqual(features, { a: "off", c: "on" });
});

/**
 * In the page, before its scripts: `sleep(ms)` is what a closed lid is to a tab. The clock has moved when it wakes, and
 * the waits that are over by then end, each once. (The driver's own clock gives timers numbers that no browser gives.)
 */
function sleepy() {
  const { setTimeout, clearTimeout } = window;
  const { now } = Date;
  const waits = new Map();
  let slept = 0;
  Date.now = () => now() + slept;
  window.setTimeout = (callback, ms) => {
    const end = () => {
      waits.delete(id);
      callback();
    };
    const id = setTimeout(end, ms);
    waits.set(id, { until: Date.now() + ms, end });
    return id;
  };
  window.clearTimeout = (id) => {
    waits.delete(id);
    clearTimeout(id);
  };
  window.sleep = (ms) => {
    slept += ms;
    const over = [...waits].filter(([, { until }]) => until <= Date.now());
    for (const [id, { end }] of over.sort(([, a], [, b]) => a.until - b.until)) {
      if (!waits.has(id)) continue;
      clearTimeout(id);
      end();
    }
    return over.length;
  };
}

test("a tab asleep for an hour opens its stream again, and ends with the server's values", async () => {
  const page = await browser.open(service, sleepy);
  await page.evaluate(() => start({ id: "alice" }));
  await service.open(1);
  // The connection stays, as one does whose other end is gone without a word.
  moveOn();
  assert.ok((await page.evaluate(() => sleep(3_600_000))) > 0, "the client waited for something");
  await endsRight(page);
  assert.deepEqual([service.of("load").length, service.of("stream").length], [1, 2]);
});
