// Exposures: deduplication, filters, and handlers of the page. Analytics SDKs are in analytics.test.mjs.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";

const { service, browser } = setupBrowserTest();

test("an exposure is sent once per user, flag and variant until the page is closed", async () => {
  const page = await browser.open(service);
  await page.evaluate(() => {
    window.sent = [];
    window.handler = (exposure) => sent.push(exposure);
    start({ id: "alice" }, { integrations: [FlagService.exposureIntegration(handler)] });
    client.evaluate("a");
  });
  await service.waitForStreams(1);
  await page.evaluate(() => {
    client.evaluate("a");
    client.evaluate("a");
    client.evaluate("b");
    client.evaluateAll();
  });
  for (const variant of ["off", "on", "off"]) {
    service.change({ a: variant });
    await page.waitForFunction((variant) => client.evaluate("a").is(variant), variant);
  }
  const sent = await page.evaluate(async () => {
    client.updateUser({ id: "bob" });
    client.evaluate("b");
    await until("LOADED");
    client.evaluate("b");
    client.updateUser({ id: "alice" });
    client.evaluate("b");
    const second = FlagService.init(
      "js-key",
      { id: "alice" },
      { integrations: [FlagService.exposureIntegration(handler)] },
    );
    second.evaluate("a");
    const other = [];
    const third = {
      offline: true,
      integrations: [FlagService.exposureIntegration((exposure) => other.push(exposure))],
    };
    FlagService.init("js-key", { id: "alice" }, third).evaluate("a");
    return [sent, other];
  });
  assert.deepEqual(sent[0], [
    // Before the load: fallback values send exposures too.
    { key: "a", variant: "off" },
    { key: "a", variant: "on" },
    { key: "b", variant: "off" },
    { key: "b", variant: "off" },
  ]);
  assert.deepEqual(sent[1], [{ key: "a", variant: "off" }], "another handler has its own ledger");
});

test("ledger entries of different exposures do not collide", async () => {
  // In each pair, user, flag and variant would give the same text if they were concatenated, with or without a colon.
  const pairs = [
    [
      ["a", "b", "c1:d"],
      ["a", "b1:c", "d"],
    ],
    [
      ["a1:b", "c", "d"],
      ["a", "bc1:", "d"],
    ],
    [
      ["alice", "x", "yz"],
      ["alice", "xy", "z"],
    ],
    [
      ["é😀", "1:", "on"],
      ["é😀1", ":", "on"],
    ],
  ];
  const page = await browser.open(service);
  const sent = await page.evaluate((pairs) => {
    const sent = [];
    for (const pair of pairs) {
      const handler = (exposure) => sent.push(exposure);
      for (const [id, key, variant] of pair) {
        const integrations = [FlagService.exposureIntegration(handler)];
        const client = FlagService.init("js-key", { id }, { bootstrap: { [key]: variant }, integrations });
        client.evaluate(key);
        client.close();
      }
    }
    return sent;
  }, pairs);
  assert.deepEqual(
    sent,
    pairs.flat().map(([, key, variant]) => ({ key, variant })),
  );
});

test("a cached value sends an exposure", async () => {
  const page = await browser.open(service);
  await page.evaluate(async () => {
    start({ id: "alice" });
    await until("LOADED");
  });
  service.handlers.load = () => {};
  await page.goto(service.page);
  const sent = await page.evaluate(() => {
    const sent = [];
    const integrations = [FlagService.exposureIntegration((exposure) => sent.push(exposure))];
    const client = FlagService.init("js-key", { id: "alice" }, { integrations });
    client.evaluate("a");
    runCore(client);
    return sent;
  });
  assert.deepEqual(sent, [{ key: "a", variant: "on" }]);
});

test("evaluateAll sends no exposure", async () => {
  const page = await browser.open(service);
  const sent = await page.evaluate(async () => {
    const sent = [];
    start({ id: "alice" }, { integrations: [FlagService.exposureIntegration(({ key }) => sent.push(key))] });
    await until("LOADED");
    client.evaluateAll();
    client.getFeatures();
    sent.push("evaluateAll was called");
    client.evaluate("a");
    return sent;
  });
  assert.deepEqual(sent, ["evaluateAll was called", "a"]);
});

test("two copies of the client share a handler's ledger", async () => {
  const entry = `import { FlagService } from "./index.mjs"; window.SecondCopy = FlagService;`;
  const resolveDir = join(import.meta.dirname, "..", "..", "dist", "flagservice-client", "dist");
  const bundle = await build({ stdin: { contents: entry, resolveDir }, bundle: true, write: false, format: "iife" });
  service.scripts["/second.js"] = bundle.outputFiles[0].text;
  const page = await browser.open(service);
  await page.addScriptTag({ url: "/second.js" });
  const sent = await page.evaluate(() => {
    const sent = [];
    const handler = (exposure) => sent.push(exposure);
    for (const copy of [FlagService, SecondCopy]) {
      for (const maker of [copy, FlagService]) {
        const config = { offline: true, integrations: [maker.exposureIntegration(handler)] };
        const client = copy.init("js-key", { id: "alice" }, config);
        client.evaluate("a");
        runCore(client);
      }
    }
    return sent;
  });
  assert.deepEqual(sent, [{ key: "a", variant: "off" }]);
});

test("each handler's ledger is a Set in a WeakMap under Symbol.for('flagservice.exposures')", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => {
    const handler = () => {};
    const integrations = [FlagService.exposureIntegration(handler)];
    const client = FlagService.init("js-key", { id: "alice" }, { offline: true, integrations });
    for (const key of ["a", "b", "a"]) client.evaluate(key);
    runCore(client);
    const ledgers = globalThis[Symbol.for("flagservice.exposures")];
    return [ledgers instanceof WeakMap, ledgers.get(handler) instanceof Set, ledgers.get(handler).size];
  });
  assert.deepEqual(seen, [true, true, 2]);
});

test("flags limits which flags send exposures: all if omitted, those in an array, none if empty, or by a predicate", async () => {
  const page = await browser.open(service);
  const sent = await page.evaluate(() => {
    let consent = false;
    const predicateCalls = [];
    const sent = {};
    const integration = (name, flags) =>
      FlagService.exposureIntegration(
        ({ key }) => {
          sent[name] = [...(sent[name] ?? []), key];
        },
        flags === undefined ? undefined : { flags },
      );
    const predicate = (key) => {
      predicateCalls.push(key);
      return consent && key === "a";
    };
    const integrations = [
      integration("all"),
      integration("some", ["b"]),
      integration("none", []),
      integration("predicate", predicate),
    ];
    const client = FlagService.init("js-key", { id: "alice" }, { offline: true, integrations });
    runCore(client);
    for (const key of ["a", "b", "a"]) client.evaluate(key);
    consent = true;
    for (const key of ["a", "b", "a"]) client.evaluate(key);
    return [sent, predicateCalls];
  });
  assert.deepEqual(sent[0], { all: ["a", "b"], some: ["b"], predicate: ["a"] });
  assert.deepEqual(sent[1], ["a", "b", "a", "a", "b"], "the predicate is not called again once it has returned true");
});

test("a handler or predicate that throws is logged with its integration, and the exposure counts as sent", async () => {
  const page = await browser.open(service);
  const calls = await page.evaluate(() => {
    let calls = 0;
    const throws = () => {
      calls += 1;
      throw new Error("no");
    };
    const integrations = [
      FlagService.exposureIntegration(throws),
      FlagService.exposureIntegration(() => {}, { flags: throws }),
      FlagService.analyticsIntegration({ track: throws }),
    ];
    const client = FlagService.init("js-key", { id: "alice" }, { offline: true, integrations });
    runCore(client);
    const values = [client.evaluate("a").value(), calls];
    client.evaluate("a");
    return [...values, calls];
  });
  assert.deepEqual(calls, ["off", 3, 4], "the predicate is called again");
  assert.equal(page.logs.length, 4);
  assert.match(page.logs[0], /exposureIntegration for "a"/);
  assert.match(page.logs[2], /analyticsIntegration for "a"/);
  assert.deepEqual(page.uncaught, []);
});

test("a handler may call evaluate", async () => {
  const page = await browser.open(service);
  const sent = await page.evaluate(() => {
    const sent = [];
    const handler = ({ key }) => {
      sent.push(key);
      client.evaluate("a");
      client.evaluate("b");
    };
    const client = FlagService.init(
      "js-key",
      {},
      { offline: true, integrations: [FlagService.exposureIntegration(handler)] },
    );
    client.evaluate("a");
    runCore(client);
    return sent;
  });
  assert.deepEqual(sent, ["a", "b"]);
});

for (const [who, place] of Object.entries({ "a listener of EVALUATION": "listener", "another handler": "handler" })) {
  test(`an exposure is that of the user of the evaluation, although ${who} replaces the user`, async () => {
    const page = await browser.open(service);
    const counts = await page.evaluate(async (place) => {
      let count = 0;
      const replaceAlice = (where) => {
        if (where === place && client.getUser().id === "alice" && !count) client.updateUser({ id: "bob" });
      };
      const replacing = FlagService.exposureIntegration(() => replaceAlice("handler"));
      const counting = FlagService.exposureIntegration(() => {
        count += 1;
      });
      start({ id: "alice" }, { integrations: [replacing, counting] });
      await until("LOADED");
      client.on("EVALUATION", () => replaceAlice("listener"));
      const counts = [];
      const evaluate = () => {
        client.evaluate("a");
        counts.push(count);
      };
      evaluate();
      await until("LOADED");
      evaluate();
      client.updateUser({ id: "alice" });
      await until("LOADED");
      evaluate();
      return counts;
    }, place);
    assert.deepEqual(counts, [1, 2, 2], "Alice's, Bob's, and nothing new of Alice");
  });
}

test("a predicate may call evaluate, and other clients of the page continue", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(async () => {
    const other = start({ id: "bob" });
    await until("LOADED");
    const sent = [];
    const flags = () => client.evaluate("a").isOn();
    const integration = FlagService.exposureIntegration(({ key, variant }) => sent.push(`${key}=${variant}`), {
      flags,
    });
    const client = FlagService.init("js-key", { id: "alice" }, { integrations: [integration] });
    await new Promise((resolve) => client.on("LOADED", resolve));
    const values = [client.evaluate("b").value(), client.evaluate("b").value()];
    await new Promise((resolve) => other.updateUser({ id: "carol" }, resolve));
    return [values, sent.sort()];
  });
  assert.deepEqual(seen, [
    ["off", "off"],
    ["a=on", "b=off"],
  ]);
  assert.deepEqual([page.logs, page.uncaught], [[], []]);
});
