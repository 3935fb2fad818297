// The events of a client: which, when, with what, and what a listener may do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

test("INIT, then LOADED, never before init has returned; LOADED_FROM_CACHE first, when a cache entry exists", async () => {
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

test("ERROR carries the message, and the client loads again by itself", async () => {
  service.answer.load = (_request, response) => {
    delete service.answer.load;
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
  const message = "Features could not be loaded: the service answered 503 Back in a moment.";
  assert.deepEqual(log, [false, message, [true, "def"], "on"]);
});

test("UPDATED_FEATURE names only the changed features, with their new values", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => start({ id: "alice" }));
  await service.open(1);
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

test("EVALUATION fires synchronously on every evaluate, and not on evaluateAll", async () => {
  const page = await browser.open(service);
  const heard = await page.evaluate(async () => {
    const client = start({ id: "alice", attributes: { plan: "pro" } }, { defaultFeatures: { d: "red" } });
    await until("LOADED");
    const heard = [];
    client.evaluate("a");
    client.on(FlagService.events.EVALUATION, (event) => heard.push(event));
    client.evaluate("a");
    heard.push("between");
    client.evaluate("a");
    client.evaluate("d");
    client.evaluateAll();
    return heard;
  });
  const user = { id: "alice", attributes: { plan: "pro" } };
  const a = { key: "a", variant: "on", value: "on", user };
  assert.deepEqual(heard, [a, "between", a, { key: "d", variant: "red", value: "red", user }]);
});

test("a listener that throws is logged with its event, and those after it still run", async () => {
  const page = await browser.open(service);
  const ran = await page.evaluate(async () => {
    const client = start({ id: "alice" });
    const ran = [];
    for (const name of ["INIT", "EVALUATION"]) {
      client.on(name, () => {
        throw new Error(`of ${name}`);
      });
      client.on(name, () => ran.push(name));
    }
    await until("LOADED");
    return [ran, client.evaluate("a").isOn(), ran.length];
  });
  assert.deepEqual(ran, [["INIT", "EVALUATION"], true, 2]);
  assert.deepEqual(page.wrongs, []);
  assert.match(page.lines[0], /listener of INIT/);
  assert.match(page.lines[1], /listener of EVALUATION/);
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
        // Would never end, were every evaluation told to the listener that makes it.
        client.evaluate("a");
        client.evaluate("b");
      });
    });
    return log;
  });
  assert.deepEqual(log, ["alice", "a", "b", "bob", "loaded bob"]);
  assert.deepEqual(page.wrongs, []);
  assert.equal(JSON.parse((await service.asked("goals"))[0].body).goals[0].userId, "alice");
});

/** Answers each load with who asked. */
function answerWho() {
  service.answer.load = function (_request, response, body) {
    const { id } = JSON.parse(body).user;
    response.end(JSON.stringify({ features: { who: id }, since: this.since, token: "token" }));
  };
}

test("evaluate, on, off, updateUser and goal may be called from inside any listener, and from a callback", async () => {
  answerWho();
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  await page.goto(service.page);
  await page.evaluate(() => {
    window.told = [];
    window.client = FlagService.init("js-key", { id: "alice" });
    /** Calls everything, the first time; `next` is the user who is then entered. */
    const calls = (name, next, callback) => () => {
      if (told.includes(name)) return;
      told.push(name);
      const nothing = () => {};
      client.evaluate(`in ${name}`);
      client.on("INIT", nothing);
      client.off("INIT", nothing);
      client.goal(name);
      client.updateUser(next, callback);
    };
    for (const name of Object.keys(FlagService.events)) {
      const callback = calls(`callback of ${name}`, { id: `after ${name}` });
      client.on(name, calls(name, { id: `of ${name}` }, callback));
    }
  });
  const toldOf = (name) => page.waitForFunction((name) => told.includes(name), name);
  for (const name of ["LOADED_FROM_CACHE", "INIT", "LOADED", "EVALUATION"]) {
    await toldOf(name);
    await toldOf(`callback of ${name}`);
  }
  service.answer.load = (_request, response) => response.writeHead(404).end();
  await page.evaluate(() => client.updateUser({ id: "lost" }));
  await toldOf("ERROR");
  await toldOf("callback of ERROR");
  delete service.answer.load;
  await page.evaluate(() => client.updateUser({ id: "alice" }));
  await service.open(1);
  service.change({ b: "on" });
  await toldOf("UPDATED_FEATURE");
  await toldOf("callback of UPDATED_FEATURE");
  assert.deepEqual(page.wrongs, []);
  assert.deepEqual(page.lines, []);
  const goals = () => service.of("goals").flatMap(({ body }) => JSON.parse(body).goals);
  while (goals().length < 12) await service.asked("goals", service.of("goals").length + 1);
  assert.equal(new Set(goals().map(({ key }) => key)).size, 12, "a goal of each listener and of each callback");
});

test("off removes one callback of one event, however often it was added, or all of the event", async () => {
  const page = await browser.open(service);
  const heard = await page.evaluate(() => {
    const client = start();
    const heard = [];
    const one = () => heard.push("one");
    client.on("EVALUATION", one);
    client.on("EVALUATION", () => heard.push("two"));
    client.on("EVALUATION", one);
    client.off("INIT", one);
    client.evaluate("a");
    client.off("EVALUATION", one);
    client.evaluate("a");
    client.off("EVALUATION");
    client.evaluate("a");
    return heard;
  });
  assert.deepEqual(heard, ["one", "two", "one", "two"]);
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

test("bindContext is undefined unless it is given", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const seen = [];
    // In a class, where this is what it is given.
    class Page {
      hear() {
        seen.push(this);
      }
    }
    const client = start();
    const context = new Page();
    client.on("EVALUATION", context.hear);
    client.on("EVALUATION", context.hear, context);
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
  assert.equal(page.lines.length, 3);
  assert.match(page.lines[0], /EVERYTHING/);
  assert.deepEqual(page.wrongs, []);
});

test("each listener gets a map of its own", async () => {
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
