// Reconnection against a server that drops every stream: exponential backoff with full jitter, 1 s to 30 s.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

const CLIENTS = 20;
/** The page's clock runs this many times as fast as the test's. */
const SPEED = 10;
const MINUTE_MS = 60_000;

/**
 * In the page, before its scripts: a fast clock. It stands still while a request is under way, and while the page handles its end or a
 * timer: how long that takes on a busy machine is not a delay of the client.
 */
function speedUp(speed) {
  const { setTimeout } = window;
  const { now } = Date;
  const startedAt = now();
  let passedMs = 0;
  let resumedAt = startedAt;
  let pauses = 0;
  window.elapsed = () => passedMs + (pauses === 0 ? (now() - resumedAt) * speed : 0);
  Date.now = () => startedAt + elapsed();
  window.pause = () => {
    passedMs = elapsed();
    pauses += 1;
  };
  /** Resumes after the present event has been handled. */
  window.resume = () =>
    setTimeout(() => {
      pauses -= 1;
      resumedAt = now();
    });
  /** How late the timer was that is being handled. */
  window.lateMs = 0;
  const timers = new Set();
  let lastTimer = 0;
  window.setTimeout = (callback, ms) => {
    const dueAt = elapsed() + ms;
    lastTimer += 1;
    const timer = lastTimer;
    timers.add(timer);
    const fire = () => {
      if (!timers.has(timer)) return;
      const leftMs = dueAt - elapsed();
      if (leftMs > 0) return void setTimeout(fire, leftMs / speed);
      timers.delete(timer);
      pause();
      lateMs = elapsed() - dueAt;
      callback();
      lateMs = 0;
      resume();
    };
    setTimeout(fire, ms / speed);
    return timer;
  };
  window.clearTimeout = (timer) => timers.delete(timer);
  window.atTime = (ms) => new Promise((resolve) => window.setTimeout(resolve, ms - elapsed()));
}

/** In the page, after `speedUp`: records what each client does, with the page's milliseconds. */
function recordActions() {
  const { EventSource, fetch } = window;
  window.actions = {};
  const record = (action, url) => {
    const client = url.split("/")[5];
    actions[client] ??= [];
    actions[client].push([action, elapsed() - lateMs]);
  };
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      record("open", url);
      pause();
      const drop = () => {
        record("drop", url);
        resume();
      };
      this.addEventListener("error", drop, { once: true });
    }
  };
  window.fetch = (url, init) => {
    record("load", url);
    pause();
    const response = fetch(url, init);
    // After the client has read its body.
    response.then((response) => response.clone().text()).finally(resume);
    return response;
  };
}

/** What each of several clients does in a minute. */
async function actionsInAMinute() {
  const page = await browser.open(service, `(${speedUp})(${SPEED}); (${recordActions})()`);
  const all = await page.evaluate(
    async ({ count, ms }) => {
      const startedAt = elapsed();
      const init = (_, number) => FlagService.init(`js-${number}`, { id: "alice" });
      const clients = Array.from({ length: count }, init);
      await atTime(startedAt + ms);
      for (const client of clients) client.close();
      return Object.values(actions).map((list) => list.map(([action, at]) => [action, at - startedAt]));
    },
    { count: CLIENTS, ms: MINUTE_MS },
  );
  assert.equal(all.length, CLIENTS);
  assert.deepEqual(page.uncaught, []);
  return all;
}

/** The delays of a client after each drop, until it opens a stream or loads again. */
function delays(actions) {
  return actions.flatMap(([action, at], index) => {
    const next = actions[index + 1];
    return action === "drop" && next ? [next[1] - at] : [];
  });
}

/**
 * With maximum delays (1 + 2 + 4 + 8 + 16 + 30 = 61 s) six attempts fit into a minute. With delays uniformly distributed from 0
 * to these, more than 20 attempts of a client have a probability of less than one in ten million.
 */
function assertBoundedAndJittered(all) {
  const shares = [];
  for (const actions of all) {
    const attempts = actions.filter(([action]) => action === "open").length;
    assert.ok(attempts >= 6 && attempts <= 20, `${attempts} attempts`);
    for (const [index, delay] of delays(actions).entries()) {
      const max = Math.min(30_000, 1000 * 2 ** index);
      assert.ok(delay <= max, `delay ${index + 1} was ${delay} ms`);
      if (max >= 4000 && max < 30_000) shares.push(delay / max);
    }
  }
  // Uniformly distributed: 20 clients have about 60 delays of up to 4, 8 and 16 s, so their mean has a standard error below 0.04.
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  assert.ok(shares.length >= 50, `${shares.length} delays`);
  assert.ok(Math.abs(mean - 0.5) < 0.2, `the mean delay is ${mean} of the maximum`);
  assert.ok(shares.some((share) => share < 0.25) && shares.some((share) => share > 0.75), "the delays vary");
  // Only the client opens streams, although an EventSource would reconnect by itself. The last one may have been closed before its
  // request was sent.
  const opened = all.flat().filter(([action]) => action === "open").length;
  const received = service.requestsOf("stream").length;
  assert.ok(received <= opened && received >= opened - CLIENTS, `${received} requests for ${opened} streams`);
}

test("against a server that drops every stream at once, attempts within 60 s are bounded and jittered", async () => {
  service.handlers.stream = (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("event: beat\ndata: {}\n\n");
  };
  assertBoundedAndJittered(await actionsInAMinute());
  assert.equal(service.requestsOf("load").length, CLIENTS, "a stream that opens causes no load");
});

test("against a server that refuses every stream, attempts within 60 s are bounded and jittered", async () => {
  service.handlers.stream = (_request, response) => response.writeHead(503).end();
  const all = await actionsInAMinute();
  assertBoundedAndJittered(all);
  const loads = all.flat().filter(([action]) => action === "load").length;
  assert.ok(loads > CLIENTS && loads <= CLIENTS * 11, `${loads} loads: one after every second attempt`);
});
