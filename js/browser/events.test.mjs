// The events of a client: when they fire, their arguments, and what listeners may do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

test("INIT and LOADED fire in this order after init has returned, after LOADED_FROM_CACHE if there is a cache entry", async () => {
  const page = await browser.open(service);
  const first = await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
    return log;
  });
  const all = { a: "on", b: "off" };
  assert.deepEqual(first, ["returned", ["INIT", all], ["LOADED", all]]);
  service.features = { a: "off" };
  await page.goto(service.page);
  const second = await page.evaluate(async () => {
    const client = FlagService.init("js-key", { id: "alice" });
    const log = [client.evaluate("a").value()];
    for (const name of ["LOADED_FROM_CACHE", "INIT", "LOADED"])
      client.on(name, (features) => log.push([name, features]));
    await new Promise((resolve) => client.on("LOADED", resolve));
    return log;
  });
  assert.deepEqual(second, ["on", ["LOADED_FROM_CACHE", all], ["INIT", { a: "off" }], ["LOADED", { a: "off" }]]);
});

test("ERROR passes the message, and the client retries", async () => {
  service.handlers.load = (_request, response) => {
    delete service.handlers.load;
    response.writeHead(503, { "content-type": "application/problem+json" }).end('{"detail":"Back in a moment."}');
  };
  const page = await browser.open(service);
  const log = await page.evaluate(async () => {
    const client = start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    const before = client.hasReceivedInitialResponse();
    const message = await until("ERROR");
    const between = [client.hasReceivedInitialResponse(), client.evaluate("a").value()];
    await until("LOADED");
    return [before, message, between, client.evaluate("a").value()];
  });
  const message = "Features could not be loaded: the service responded with 503. Back in a moment.";
  assert.deepEqual(log, [false, message, [true, "def"], "on"]);
});

test("UPDATED_FEATURE passes only the changed features, with their new values", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForStreams(1);
  service.change({ a: "off" });
  await page.waitForFunction(() => log.some(([name]) => name === "UPDATED_FEATURE"));
  service.change({ b: null, c: "blue" });
  await page.waitForFunction(() => client.evaluate("c").value() === "blue");
  const [log, features] = await page.evaluate(() => [log, client.getFeatures()]);
  assert.deepEqual(log.slice(3), [
    ["UPDATED_FEATURE", { a: "off" }],
    ["UPDATED_FEATURE", { b: "off", c: "blue" }],
  ]);
  assert.deepEqual(features, { a: "off", c: "blue" });
});

test("EVALUATION fires synchronously on every evaluate, but not on evaluateAll", async () => {
  const page = await browser.open(service);
  const events = await page.evaluate(async () => {
    const client = start({ id: "alice", attributes: { plan: "pro" } }, { defaultFeatures: { d: "red" } });
    await until("LOADED");
    const events = [];
    client.evaluate("a");
    client.on(FlagService.events.EVALUATION, (event) => events.push(event));
    client.evaluate("a");
    events.push("between");
    client.evaluate("a");
    client.evaluate("d");
    client.evaluateAll();
    return events;
  });
  const user = { id: "alice", attributes: { plan: "pro" } };
  const a = { key: "a", variant: "on", value: "on", user };
  assert.deepEqual(events, [a, "between", a, { key: "d", variant: "red", value: "red", user }]);
});

test("a listener of EVALUATION may evaluate every feature: within one evaluation of the page each fires once", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    const client = start({ id: "alice" });
    await until("LOADED");
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const events = [];
    client.on("EVALUATION", ({ key }) => events.push(key + keys.map((key) => client.evaluate(key).value()).length));
    const values = [client.evaluate("a").value(), client.evaluate("b").value()];
    return [values, events];
  });
  const once = (first, ...others) => [...others.map((key) => `${key}8`).reverse(), `${first}8`];
  assert.deepEqual(seen[0], ["on", "off"]);
  assert.deepEqual(seen[1], [...once("a", ..."bcdefgh"), ...once("b", ..."acdefgh")]);
});

test("a listener that throws is logged with its event, and later listeners still run", async () => {
  const page = await browser.open(service);
  const ran = await page.evaluate(async () => {
    const client = start({ id: "alice" });
    const ran = [];
    for (const name of ["INIT", "EVALUATION"]) {
      client.on(name, () => {
        throw new Error(`from ${name}`);
      });
      client.on(name, () => ran.push(name));
    }
    await until("LOADED");
    return [ran, client.evaluate("a").isOn(), ran.length];
  });
  assert.deepEqual(ran, [["INIT", "EVALUATION"], true, 2]);
  assert.deepEqual(page.uncaught, []);
  assert.match(page.logs[0], /listener of INIT/);
  assert.match(page.logs[1], /listener of EVALUATION/);
});

test("what an async listener, handler or callback rejects with is logged, and an async logger has no effect", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    const rejects = async () => {
      throw new Error("broken");
    };
    const integrations = [FlagService.exposureIntegration(rejects)];
    for (const logger of [console, { warn: rejects, error: rejects }]) {
      const client = start({ id: "alice" }, { integrations, logger });
      client.on("EVALUATION", rejects);
      await new Promise((resolve) => client.on("INIT", resolve));
      client.evaluate("a");
      await new Promise((resolve) => client.updateUser({ id: "bob" }, async () => resolve(await null) || rejects()));
    }
    // Unhandled rejections are reported after the task.
    await new Promise((resolve) => setTimeout(resolve));
  });
  assert.deepEqual(page.uncaught, []);
  const callers = page.logs.map((line) => line.match(/FlagService: (.*) threw an error/)[1]).sort();
  assert.deepEqual(callers, ["A listener of EVALUATION", "A listener of updateUser", 'exposureIntegration for "a"']);
});

test("a listener may call the client", async () => {
  const page = await browser.open(service);
  const log = await page.evaluate(async () => {
    const log = [];
    const client = start({ id: "alice" });
    await new Promise((resolve) => {
      client.on("INIT", () => {
        log.push(client.getUser().id);
        if (client.getUser().id === "bob") return;
        client.evaluate("a");
        client.goal("seen");
        client.on("LOADED", () => resolve(log.push(`loaded ${client.getUser().id}`)));
        client.off("ERROR");
        client.updateUser({ id: "bob" });
      });
      client.on("EVALUATION", ({ key }) => {
        log.push(key);
        // This would recurse forever if a nested evaluation of the same feature fired another event.
        client.evaluate("a");
        client.evaluate("b");
      });
    });
    return log;
  });
  assert.deepEqual(log, ["alice", "a", "b", "bob", "loaded bob"]);
  assert.deepEqual(page.uncaught, []);
  assert.equal(JSON.parse((await service.waitForRequests("goals"))[0].body).goals[0].userId, "alice");
});

/** Responds to each load with the user's id as the value of `who`. */
function respondWithUserId() {
  service.handlers.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id }, since: this.since, token: "token" }));
  };
}

/** Waits for the stream that was opened with this token. */
async function streamOf(token) {
  const streams = () => service.requestsOf("stream");
  while (!streams().some(({ url }) => url.includes(token)))
    await service.waitForRequests("stream", streams().length + 1);
}

test("evaluate, on, off, updateUser and goal may be called from any listener and callback", async () => {
  respondWithUserId();
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await page.goto(service.page);
  await page.evaluate(() => {
    window.called = [];
    window.client = FlagService.init("js-key", { id: "alice" });
    /** A listener that calls every method, once; `next` is the user for updateUser. */
    const calls = (name, next, callback) => () => {
      if (called.includes(name)) return;
      called.push(name);
      const noop = () => {};
      client.evaluate(`in ${name}`);
      client.on("INIT", noop);
      client.off("INIT", noop);
      client.goal(name);
      client.updateUser(next, callback);
    };
    for (const name of Object.keys(FlagService.events)) {
      const callback = calls(`callback of ${name}`, { id: `after ${name}` });
      client.on(name, calls(name, { id: `user for ${name}` }, callback));
    }
  });
  const waitForCall = (name) => page.waitForFunction((name) => called.includes(name), name);
  for (const name of ["LOADED_FROM_CACHE", "INIT", "LOADED", "EVALUATION"]) {
    await waitForCall(name);
    await waitForCall(`callback of ${name}`);
  }
  service.handlers.load = (_request, response) => response.writeHead(404).end();
  await page.evaluate(() => client.updateUser({ id: "lost" }));
  await waitForCall("ERROR");
  await waitForCall("callback of ERROR");
  service.handlers.load = function (_request, response, body) {
    response.end(JSON.stringify({ features: this.features, since: this.since, token: JSON.parse(body).user.id }));
  };
  await page.evaluate(() => client.updateUser({ id: "alice" }));
  // Not the stream of an earlier user, which may still be open.
  await streamOf("alice");
  service.change({ b: "on" });
  await waitForCall("UPDATED_FEATURE");
  await waitForCall("callback of UPDATED_FEATURE");
  assert.deepEqual(page.uncaught, []);
  assert.deepEqual(page.logs, []);
  const goals = () => service.requestsOf("goals").flatMap(({ body }) => JSON.parse(body).goals);
  while (goals().length < 12) await service.waitForRequests("goals", service.requestsOf("goals").length + 1);
  assert.equal(new Set(goals().map(({ key }) => key)).size, 12, "a goal of each listener and of each callback");
});

test("off removes all registrations of a callback for an event, or all listeners of the event", async () => {
  const page = await browser.open(service);
  const events = await page.evaluate(() => {
    const client = start();
    const events = [];
    const one = () => events.push("one");
    client.on("EVALUATION", one);
    client.on("EVALUATION", () => events.push("two"));
    client.on("EVALUATION", one);
    client.off("INIT", one);
    client.evaluate("a");
    client.off("EVALUATION", one);
    client.evaluate("a");
    client.off("EVALUATION");
    client.evaluate("a");
    return events;
  });
  assert.deepEqual(events, ["one", "two", "one", "two"]);
});

test("bindContext is this of the callback", async () => {
  const page = await browser.open(service);
  const same = await page.evaluate(() => {
    const context = {};
    let seen;
    const client = start();
    client.on(
      "EVALUATION",
      function () {
        seen = this;
      },
      context,
    );
    client.evaluate("a");
    return seen === context;
  });
  assert.equal(same, true);
});

test("bindContext is undefined by default", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const seen = [];
    // Class code is strict, so `this` stays undefined.
    class Page {
      listener() {
        seen.push(this);
      }
    }
    const client = start();
    const context = new Page();
    client.on("EVALUATION", context.listener);
    client.on("EVALUATION", context.listener, context);
    client.evaluate("a");
    return [seen.length, seen[0] === undefined, seen[1] === context];
  });
  assert.deepEqual(seen, [2, true, true]);
});

test("an unknown event name is reported and ignored", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    const client = start();
    client.on("EVERYTHING", () => {});
    client.off("constructor");
    client.on("INIT");
  });
  assert.equal(page.logs.length, 3);
  assert.match(page.logs[0], /EVERYTHING/);
  assert.deepEqual(page.uncaught, []);
});

test("each listener gets its own map", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    const client = FlagService.init("js-key", { id: "alice" });
    client.on("INIT", (features) => {
      features.a = "spoiled";
    });
    const second = new Promise((resolve) => client.on("INIT", resolve));
    return [await second, client.evaluate("a").value()];
  });
  assert.deepEqual(seen, [{ a: "on", b: "off" }, "on"]);
});
