// Tabs of a browser share one stream: one tab holds it, and tells the others what it brings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { BEFORE_TAKEN_MS, Window } from "../../tests/support/browser/tabs.mjs";
import { inFirefox, inWebKit, withoutProtocol } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest({ backForwardCache: true });

/** Opens tabs of one browser, each with a client for the user of its number; the first tab holds the stream. */
async function openTabs(users, prepare) {
  const first = await browser.open(service, prepare);
  const tabs = [first];
  await start(first, users[0]);
  await service.waitForStreams(1);
  for (const id of users.slice(1)) {
    const tab = await browser.openTab(first.context(), service, prepare);
    tabs.push(tab);
    await start(tab, id);
  }
  return tabs;
}

const start = (tab, id) =>
  tab.evaluate(async (id) => {
    window.start({ id });
    await until("LOADED");
  }, id);

/** Opening a tab takes the other browsers ten times as long. */
const TABS = withoutProtocol ? 4 : 10;

const ALICE = (count) => Array.from({ length: count }, () => "alice");

const shows = (tab, value) =>
  tab.waitForFunction((value) => client.evaluate("a").is(value), value, { timeout: BEFORE_TAKEN_MS });

/** What listeners were told about changes. */
const updates = (tab) => tab.evaluate(() => log.filter(([name]) => name === "UPDATED_FEATURE").map(([, told]) => told));

/** Changes a feature, and waits until each tab has it. */
async function change(tabs, value) {
  service.change({ a: value });
  await Promise.all(tabs.map((tab) => shows(tab, value)));
}

test("tabs of one user have one stream, and each tells a change exactly once", async () => {
  const tabs = await openTabs(ALICE(TABS));
  await change(tabs, "second");
  await change(tabs, "third");
  for (const tab of tabs) assert.deepEqual(await updates(tab), [{ a: "second" }, { a: "third" }]);
  assert.equal(service.requestsOf("stream").length, 1);
  assert.equal(service.requestsOf("load").length, TABS);
});

/** A stream that opens with an older version gets the current values. */
function sendsWhatWasMissed() {
  service.handlers.stream = function (request, response) {
    this.respond_stream(request, response);
    const { since } = Object.fromEntries(new URL(request.url, this.base).searchParams);
    if (since !== this.since) this.send("put", { features: this.features });
  };
}

const ENDS = {
  "is closed": { end: (tab) => tab.close() },
  "goes to another page": { end: (tab) => tab.goto("about:blank") },
  crashes: {
    end: async (tab) => {
      const session = await tab.context().newCDPSession(tab);
      await Promise.race([session.send("Page.crash").catch(() => {}), tab.waitForEvent("crash")]);
    },
    skip: withoutProtocol,
  },
  "closes its client": { end: (tab) => tab.evaluate(() => client.close()) },
  "gets another user": { end: (tab) => tab.evaluate(() => client.updateUser({ id: "bob" })), streams: 2 },
};

for (const [what, { end, skip, streams = 1 }] of Object.entries(ENDS)) {
  test(`when the tab that holds the stream ${what}, another one holds it, and no change is lost`, {
    skip,
  }, async () => {
    const [holder, ...others] = await openTabs(ALICE(3));
    sendsWhatWasMissed();
    await end(holder);
    // At once, so that the change may come before anybody holds the stream.
    service.change({ a: "meanwhile" });
    await Promise.all(others.map((tab) => shows(tab, "meanwhile")));
    await change(others, "after");
    for (const tab of others) assert.deepEqual(await updates(tab), [{ a: "meanwhile" }, { a: "after" }]);
    await service.waitForStreams(streams);
    assert.equal(service.requestsOf("stream").length, 1 + streams);
  });
}

test("when the tab that holds the stream is frozen, another one holds it, and it catches up when it is visible again", {
  skip: withoutProtocol,
}, async () => {
  // Playwright's tabs are all visible, and no browser freezes a visible tab.
  const window = await Window.open();
  try {
    const start = `window.client = FlagService.init("js-key", { id: "alice" });
      new Promise((resolve) => client.on("LOADED", () => resolve()))`;
    const holder = await window.tab(service.page);
    await holder.until("window.FlagService");
    await holder.evaluate(start);
    await service.waitForStreams(1);
    const other = await window.tab(service.page);
    await other.until("window.FlagService");
    await other.evaluate(start);
    await holder.freeze();
    await service.waitForRequests("stream", 2);
    service.change({ a: "meanwhile" });
    for (const tab of [other, holder]) {
      await tab.bringToFront();
      await tab.until(`client.evaluate("a").is("meanwhile")`);
    }
    assert.equal(service.requestsOf("stream").length, 2);
  } finally {
    await window.close();
  }
});

test("a tab that comes back from the back-forward cache joins the others", {
  skip: inFirefox && "Firefox does not cache pages with an open EventSource",
}, async () => {
  const [holder, other] = await openTabs(ALICE(2));
  sendsWhatWasMissed();
  await holder.goto(`${service.page}&elsewhere`);
  await change([other], "second");
  await holder.evaluate(() => setTimeout(() => history.back()));
  await holder.waitForURL(service.page, { waitUntil: "commit" });
  await shows(holder, "second");
  await change([holder, other], "third");
  assert.deepEqual(await updates(holder), [{ a: "second" }, { a: "third" }]);
  assert.equal(service.requestsOf("stream").length, 2);
});

test("a tab that does not respond loses the stream to one that joins, and follows it when it responds again", {
  skip:
    (inWebKit && "its driver waits for the tab that does not respond") ||
    (inFirefox && "a synchronous request does not stop its messages between tabs"),
}, async () => {
  const [holder] = await openTabs(ALICE(1));
  let release;
  service.handlers.hang = (_request, response) => {
    release = () => response.end();
  };
  // A synchronous request: the page does nothing until it is answered.
  const hanging = holder.evaluate(() => {
    const request = new XMLHttpRequest();
    request.open("GET", "/client/v1/js-key/hang", false);
    request.send();
  });
  await service.waitForRequests("hang");
  const other = await browser.openTab(holder.context(), service);
  await start(other, "alice");
  await service.waitForRequests("stream", 2);
  await change([other], "second");
  release();
  await hanging;
  await shows(holder, "second");
  await service.waitForStreams(1);
  await change([holder, other], "third");
  assert.deepEqual(await updates(holder), [{ a: "second" }, { a: "third" }]);
});

test("users stay apart: each has a stream, and hears nothing of the others", async () => {
  const tabs = await openTabs(["alice", "bob", "alice"]);
  await service.waitForStreams(2);
  const [alices] = service.streams;
  alices.write(`id: ${service.since.replace(".1.", ".2.")}\nevent: patch\ndata: {"features":{"a":"alices"}}\n\n`);
  await Promise.all([tabs[0], tabs[2]].map((tab) => shows(tab, "alices")));
  assert.deepEqual(await updates(tabs[1]), []);
  assert.equal(await tabs[1].evaluate(() => client.evaluate("a").value()), "on");
});

test("a client that is closed right after it has loaded leaves the stream to other tabs", async () => {
  const page = await browser.open(service);
  const { held, pending } = await page.evaluate(async () => {
    window.start({ id: "alice" });
    await until("LOADED");
    client.close();
    // Granted after what was requested before.
    await navigator.locks.request("last", () => {});
    return navigator.locks.query();
  });
  assert.deepEqual([held, pending], [[], []]);
});

/** In the page: counts the streams that it opens. */
function countStreams() {
  // WebKit runs it once for each tab of the test.
  if (window.opened !== undefined) return;
  window.opened = 0;
  window.EventSource = class extends EventSource {
    constructor(...args) {
      super(...args);
      window.opened += 1;
    }
  };
}

for (const [missing, remove] of Object.entries({
  LockManager: "delete Navigator.prototype.locks",
  BroadcastChannel: "delete window.BroadcastChannel",
})) {
  test(`in a browser without ${missing}, each tab opens a stream of its own, once`, async () => {
    const tabs = await openTabs(ALICE(2), `(${countStreams})(); ${remove};`);
    await service.waitForStreams(2);
    await change(tabs, "second");
    for (const tab of tabs) assert.equal(await tab.evaluate(() => window.opened), 1);
  });
}

test("a page in a sandbox, which may use neither locks nor storage, has a stream", async () => {
  service.headers = { "content-security-policy": "sandbox allow-scripts" };
  const page = await browser.open(service);
  await page.evaluate((baseUrl) => window.start({ id: "alice" }, { baseUrl }), service.base);
  await service.waitForStreams(1);
  await change([page], "second");
  assert.deepEqual(page.uncaught, []);
});
