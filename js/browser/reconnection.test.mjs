// Reconnection against a server that drops every stream: exponential backoff with full jitter, 1 s to 30 s.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

const CLIENTS = 20;
/** The page's clock runs so many times as fast as ours. */
const SPEED = 10;
const MINUTE = 60_000;

/** In the page, before its scripts: a fast clock, and a record of what each client does when, in its milliseconds. */
function hurry(speed) {
  const { setTimeout, EventSource, fetch } = window;
  const { now } = Date;
  const began = now();
  Date.now = () => began + (now() - began) * speed;
  // What a busy machine makes a wait longer is not the client's.
  let late = 0;
  window.setTimeout = (callback, ms) => {
    const due = elapsed() + ms;
    const end = () => {
      late = elapsed() - due;
      callback();
      late = 0;
    };
    return setTimeout(end, ms / speed);
  };
  window.elapsed = () => Date.now() - began;
  window.happened = {};
  const note = (what, url) => {
    const client = url.split("/")[5];
    happened[client] ??= [];
    happened[client].push([what, elapsed() - late]);
  };
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      note("open", url);
      this.addEventListener("error", () => note("drop", url));
    }
  };
  window.fetch = (url, init) => {
    note("load", url);
    return fetch(url, init);
  };
  window.atTime = (ms) => new Promise((resolve) => setTimeout(resolve, (ms - elapsed()) / speed));
}

/** What each of several clients does in a minute. */
async function minute() {
  const page = await browser.open(service, `(${hurry})(${SPEED})`);
  const all = await page.evaluate(
    async ({ count, ms }) => {
      const began = elapsed();
      const begin = (_, number) => FlagService.init(`js-${number}`, { id: "alice" });
      const clients = Array.from({ length: count }, begin);
      await atTime(began + ms);
      for (const client of clients) client.close();
      return Object.values(happened).map((things) => things.map(([what, at]) => [what, at - began]));
    },
    { count: CLIENTS, ms: MINUTE },
  );
  assert.equal(all.length, CLIENTS);
  assert.deepEqual(page.wrongs, []);
  return all;
}

/** The waits of a client after each drop, until it opens a stream or loads again. */
function waits(things) {
  return things.flatMap(([what, at], place) => {
    const next = things[place + 1];
    return what === "drop" && next ? [next[1] - at] : [];
  });
}

/**
 * With the longest waits (1 + 2 + 4 + 8 + 16 + 30 = 61 s) six attempts fit into a minute; more than 20 have, with waits
 * evenly spread from 0 to these, a chance of less than one in ten millions for each client.
 */
function isBoundedAndJittered(all) {
  const shares = [];
  for (const things of all) {
    const attempts = things.filter(([what]) => what === "open").length;
    assert.ok(attempts >= 6 && attempts <= 20, `${attempts} attempts`);
    for (const [place, wait] of waits(things).entries()) {
      const longest = Math.min(30_000, 1000 * 2 ** place);
      // Between a drop and the client's hearing of it there may be 50 ms of ours.
      assert.ok(wait <= longest + 50 * SPEED, `wait ${place + 1} took ${wait} ms`);
      if (longest >= 4000 && longest < 30_000) shares.push(wait / longest);
    }
  }
  // Evenly spread: 20 clients have about 60 waits of 4, 8 and 16 s, so their mean has a standard error below 0.04.
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  assert.ok(shares.length >= 50, `${shares.length} waits`);
  assert.ok(Math.abs(mean - 0.5) < 0.2, `the waits are ${mean} of the longest`);
  assert.ok(shares.some((share) => share < 0.25) && shares.some((share) => share > 0.75), "they are spread");
  // Nobody but the client opens streams: an EventSource that is left alone would come back by itself. What was opened last
  // may have been closed before the request was out.
  const opened = all.flat().filter(([what]) => what === "open").length;
  const seen = service.of("stream").length;
  assert.ok(seen <= opened && seen >= opened - CLIENTS, `${seen} requests for ${opened} streams`);
}

test("against a server that drops every stream at once, attempts within 60 s are bounded and jittered", {
  timeout: 30_000,
}, async () => {
  service.answer.stream = (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("event: beat\ndata: {}\n\n");
  };
  isBoundedAndJittered(await minute());
  assert.equal(service.of("load").length, CLIENTS, "a stream that opens gives no reason to load");
});

test("against a server that refuses every stream, attempts within 60 s are bounded and jittered", {
  timeout: 30_000,
}, async () => {
  service.answer.stream = (_request, response) => response.writeHead(503).end();
  const all = await minute();
  isBoundedAndJittered(all);
  const loads = all.flat().filter(([what]) => what === "load").length;
  assert.ok(loads > CLIENTS && loads <= CLIENTS * 11, `${loads} loads: one for every second attempt`);
});
