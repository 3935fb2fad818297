// Realtime updates: gaps, silence, hidden tabs, and the stream's events.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

async function startStreaming(page, config) {
  await page.evaluate((config) => start({ id: "alice" }, config), config);
  await service.waitForStreams(1);
}

/** Changes the page's visibility as a browser does for a tab. */
function setVisible(page, visible) {
  return page.evaluate((visible) => {
    Object.defineProperty(document, "visibilityState", { value: visible ? "visible" : "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visible);
}

test("the stream opens with the load's token and known version, and not without streaming", async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  assert.equal(service.requestsOf("stream")[0].url, `/client/v1/js-key/stream?token=token&since=${service.since}`);
  await page.evaluate(async () => {
    client.close();
    start({ id: "alice" }, { streaming: false });
    await until("LOADED");
  });
  await service.waitForStreams(0);
  assert.equal(service.requestsOf("stream").length, 1);
});

test("UPDATED_FEATURE does not fire without streaming", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" }, { streaming: false });
    await until("LOADED");
  });
  service.version += 1;
  service.features = { a: "off" };
  const log = await page.evaluate(async () => {
    client.updateUser({ id: "alice" });
    await until("LOADED");
    return [log.map(([name]) => name), client.getFeatures()];
  });
  assert.deepEqual(log[1], { a: "off" });
  assert.ok(!log[0].includes("UPDATED_FEATURE"), `${log[0]}`);
  assert.equal(service.requestsOf("stream").length, 0);
});

test("after a gap the client has exactly the server's values and reports exactly the changed features", async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  service.change({ a: "off" });
  await page.waitForFunction(() => !client.evaluate("a").isOn());
  const latest = service.since;
  for (const stream of service.streams) stream.destroy();
  service.version += 1;
  service.features = { a: "off", c: "on" };
  service.handlers.stream = function (request, response) {
    this.respond_stream(request, response);
    this.send("put", { features: this.features });
  };
  await page.waitForFunction(() => client.evaluate("c").isOn());
  assert.ok(service.requestsOf("stream")[1].url.endsWith(`since=${latest}`));
  const [log, features] = await page.evaluate(() => [log.slice(3), client.getFeatures()]);
  assert.deepEqual(log, [
    ["UPDATED_FEATURE", { a: "off" }],
    ["UPDATED_FEATURE", { b: "off", c: "on" }],
  ]);
  assert.deepEqual(features, { a: "off", c: "on" });
});

test("two failed attempts to open the stream cause a load", async () => {
  service.handlers.stream = (_request, response) => response.writeHead(500).end();
  const page = await browser.open(service);
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForRequests("stream", 2);
  service.features = { a: "off" };
  delete service.handlers.stream;
  await service.waitForStreams(1);
  assert.equal(service.requestsOf("load").length, 2);
  assert.equal(await page.evaluate(() => client.evaluate("a").value()), "off");
});

test("reload causes a load after its delay", async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  service.features = { a: "off" };
  const before = Date.now();
  service.send("reload", { afterMs: 1500 }, "");
  await service.waitForRequests("load", 2);
  assert.ok(Date.now() - before >= 1500);
  await page.waitForFunction(() => log.some(([name]) => name === "UPDATED_FEATURE"));
});

test("changed causes a load and keeps the stream open", async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  service.features = { a: "off", b: "off" };
  service.version += 1;
  service.send("changed", {}, "");
  await page.waitForFunction(() => !client.evaluate("a").isOn());
  assert.equal(service.streams.size, 1);
  assert.equal(service.requestsOf("stream").length, 1);
});

test("unreadable data on the stream is ignored", async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  for (const stream of service.streams) {
    for (const event of ["put", "patch"]) {
      for (const data of ["", "{", "[]", "null", "7", '{"features":[]}', '{"features":null}']) {
        stream.write(`id: ${service.since}\nevent: ${event}\ndata: ${data}\n\n`);
      }
    }
    stream.write('id: 7\nevent: patch\ndata: {"features":{"a":"off"}}\n\n');
    stream.write("event: unknown\ndata: x\n\n");
  }
  service.change({ c: "on" });
  await page.waitForFunction(() => client.evaluate("c").isOn());
  assert.deepEqual(await page.evaluate(() => client.getFeatures()), { a: "on", b: "off", c: "on" });
  assert.deepEqual(page.uncaught, []);
});

// With a limit, because the sentence says when.
test("a hidden tab closes its stream after 15 s and catches up when it is visible", {
  timeout: 40_000,
}, async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  const before = Date.now();
  await setVisible(page, false);
  await service.waitForStreams(0);
  assert.ok(Date.now() - before >= 14_900);
  service.version += 1;
  service.features = { a: "off", b: "off" };
  service.handlers.stream = function (request, response) {
    this.respond_stream(request, response);
    this.send("put", { features: this.features });
  };
  await setVisible(page, true);
  await page.waitForFunction(() => !client.evaluate("a").isOn());
  assert.equal(service.requestsOf("load").length, 1);
});

test("events of elements that have the names of the page's events do not close the stream", async () => {
  const page = await browser.open(service);
  await startStreaming(page);
  await page.evaluate(() => {
    for (const name of ["freeze", "pagehide"]) document.body.dispatchEvent(new CustomEvent(name, { bubbles: true }));
  });
  service.change({ a: "off" });
  await page.waitForFunction(() => client.evaluate("a").isOff());
  assert.equal(service.requestsOf("stream").length, 1);
  await page.evaluate(() => document.dispatchEvent(new Event("freeze")));
  await service.waitForStreams(0);
});

test("the stream is reopened after 50 s without an event, and a heartbeat is one", async () => {
  // Waits of a second or more end when the test moves the page's clock forward; shorter ones end by themselves.
  const page = await browser.open(service, () => {
    const { setTimeout, clearTimeout } = window;
    const { now } = Date;
    const waits = new Map();
    let moved = 0;
    let last = 0;
    Date.now = () => now() + moved;
    window.setTimeout = (callback, ms = 0, ...args) => {
      if (ms < 1_000) return setTimeout(callback, ms, ...args);
      last -= 1;
      waits.set(last, { callback: () => callback(...args), at: moved + ms });
      return last;
    };
    window.clearTimeout = (id) => waits.delete(id) || clearTimeout(id);
    window.forward = (ms) => {
      moved += ms;
      for (const [id, { callback, at }] of waits) if (at <= moved && waits.delete(id)) callback();
    };
    window.opened = 0;
    window.beats = 0;
    window.EventSource = class extends EventSource {
      constructor(url) {
        super(url);
        window.opened += 1;
        this.addEventListener("beat", () => {
          window.beats += 1;
        });
      }
    };
  });
  const forward = (ms) => page.evaluate((ms) => window.forward(ms), ms);
  await page.evaluate(() => start({ id: "alice" }));
  // The service sends one as soon as a stream is open.
  await page.waitForFunction(() => beats === 1);
  await forward(45_000);
  service.send("beat", {}, "");
  await page.waitForFunction(() => beats === 2);
  await forward(45_000);
  assert.equal(await page.evaluate(() => opened), 1);
  await forward(10_000);
  await service.waitForRequests("stream", 2);
  assert.equal(service.requestsOf("load").length, 1);
});

test("without EventSource the client logs one message and works without updates", async () => {
  const page = await browser.open(service, () => {
    delete window.EventSource;
  });
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  assert.equal(page.logs.length, 1);
  assert.match(page.logs[0], /EventSource/);
  assert.deepEqual(page.uncaught, []);
});

test("the client uses the page's own EventSource", async () => {
  const page = await browser.open(service, () => {
    const Native = window.EventSource;
    window.opened = [];
    window.EventSource = class extends Native {
      constructor(url) {
        window.opened.push(url);
        super(url);
      }
    };
  });
  await startStreaming(page);
  assert.equal(await page.evaluate(() => opened.length), 1);
});
