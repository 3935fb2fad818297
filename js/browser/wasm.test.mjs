// Pages without WebAssembly, and wasm that traps.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/setup.mjs";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutWasm } from "../../tests/support/browser/fake-service.mjs";
import { inWebKit } from "../../tests/support/browser/test-browser.mjs";

const { service, browser } = setupBrowserTest();

/** Does not apply to the build without wasm. */
const skip = withoutWasm && "this build has no wasm";

const REFUSALS = {
  "because of a policy": { policy: "script-src 'self' 'unsafe-inline'; connect-src 'self'" },
  "because the browser lacks it": { script: "delete window.WebAssembly" },
};

for (const [how, { policy, script }] of Object.entries(REFUSALS)) {
  test(`without WebAssembly ${how}, the client answers in the same tick, logs one message, and receives updates`, {
    skip,
  }, async () => {
    const page = await browser.open(service);
    const id = await page.evaluate(async () => {
      start();
      await until("LOADED");
      return client.getUser().id;
    });
    if (policy) service.headers = { "content-security-policy": policy };
    if (script) await page.addInitScript(script);
    service.features = { a: "fresh" };
    await page.goto("about:blank");
    await service.waitForStreams(0);
    await page.goto(service.page);
    const config = { defaultFeatures: { a: "def", d: "def" } };
    const seen = await page.evaluate((config) => {
      const read = (client) => ["a", "b", "d", "x"].map((key) => client.evaluate(key).value());
      window.log = [];
      window.client = FlagService.init("js-key", undefined, config);
      for (const name of ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE", "ERROR"]) {
        client.on(name, (argument) => log.push([name, argument]));
      }
      const known = [read(client), client.getFeatures(), client.evaluateAll(), client.getUser().id];
      client.goal("purchase");
      const bootstrapped = FlagService.init("js-key", undefined, { ...config, bootstrap: { a: "boot" } });
      known.push(read(bootstrapped));
      bootstrapped.close();
      return known;
    }, config);
    const cached = { a: "on", b: "off" };
    assert.deepEqual(seen, [
      ["on", "off", "def", "off"],
      cached,
      { ...cached, d: "def" },
      id,
      ["boot", "off", "def", "off"],
    ]);
    await service.waitForStreams(1);
    service.change({ a: "changed" });
    await page.waitForFunction(() => client.evaluate("a").is("changed"));
    assert.deepEqual(await page.evaluate(() => log), [
      ["LOADED_FROM_CACHE", cached],
      ["INIT", { a: "fresh" }],
      ["UPDATED_FEATURE", { a: "changed" }],
    ]);
    const [{ body }] = await service.waitForRequests("goals");
    assert.deepEqual(
      JSON.parse(body).goals.map(({ key, userId, features }) => ({ key, userId, features })),
      [{ key: "purchase", userId: id, features: cached }],
    );
    assert.equal(page.logs.length, 1);
    assert.match(page.logs[0], /WebAssembly/);
    assert.deepEqual(page.uncaught, []);
  });
}

test("if no build can be loaded, the client answers from bootstrap, cache and defaults", {
  skip: skip || (inWebKit && "the policy of this page also forbids to report what is logged"),
}, async () => {
  const script = `${service.base}/flagservice.min.js`;
  service.headers = { "content-security-policy": `script-src ${script}; connect-src 'none'` };
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
  });
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { defaultFeatures: { a: "def" } });
    const value = client.evaluate("a").value();
    const error = await until("ERROR");
    const callbackFeatures = await new Promise((resolve) => client.updateUser({ id: "bob" }, resolve));
    return [value, error, callbackFeatures];
  });
  assert.deepEqual(seen, ["def", "No build of the client could be loaded.", { a: "def" }]);
  assert.equal(page.logs.length, 2, "one for WebAssembly, one for the build without it");
  assert.deepEqual(page.uncaught, []);
});

const readBuilt = (file) => readFile(join(root, "dist", "flagservice-client", "dist", file), "utf8");
const FROM_SERVICE = /^\/client\/v1\/no-wasm-core\/2\.\d+\.\d+\.mjs$/;

/** Opens a page without WebAssembly, whose script is inline, or loaded from `url`. */
async function openWithoutWasm(url) {
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
  });
  await page.addScriptTag(url ? { url } : { content: await readBuilt("flagservice.min.js") });
  return page;
}

test("without WebAssembly, an inline script loads the other build from the service", { skip }, async () => {
  const page = await openWithoutWasm();
  await page.evaluate(() => start({ id: "alice" }));
  await service.waitForStreams(1);
  assert.match(service.files.at(-1), FROM_SERVICE);
  assert.deepEqual(page.uncaught, []);
});

for (const [what, url, expected] of [
  ["a script's address with a query", "/flagservice.min.js?v=2.6.0", /^\/no-wasm-core\.mjs$/],
  // Next to it, a content delivery network has other packages.
  ["an address that is the package's name", "/npm/flagservice-client?module=script.js", FROM_SERVICE],
]) {
  test(`without WebAssembly, a script loads the other build from beside its file, or from the service: ${what}`, {
    skip,
  }, async () => {
    service.scripts["/npm/flagservice-client"] = await readBuilt("flagservice.min.js");
    const page = await openWithoutWasm(url);
    await page.evaluate(() => start({ id: "alice" }));
    await service.waitForStreams(1);
    assert.match(service.files.at(-1), expected);
    assert.deepEqual(page.uncaught, []);
  });
}

test("without WebAssembly, each client loads the other build as its own settings say, and logs to its own logger", {
  skip,
}, async () => {
  service.scripts["/elsewhere.mjs"] = await readBuilt("no-wasm-core.mjs");
  const page = await openWithoutWasm();
  const seen = await page.evaluate(async () => {
    const messages = [];
    const init = (name, config) => {
      const log = (message) => messages.push(`${name}: ${message.replace("FlagService: ", "")}`);
      return FlagService.init("js-key", { id: name }, { ...config, logger: { warn: log, error: log } });
    };
    init("closed").close();
    const clients = [
      init("offline", { offline: true }),
      init("wrong", { noWasmUrl: "/missing.mjs" }),
      init("right", { noWasmUrl: "/elsewhere.mjs" }),
    ];
    const ends = (client) =>
      new Promise((resolve) => {
        for (const name of ["INIT", "ERROR"]) client.on(name, () => resolve(name));
      });
    return [await Promise.all(clients.map(ends)), messages.sort()];
  });
  const instead = "WebAssembly is not available. The build without it is loaded instead.";
  assert.deepEqual(seen, [
    ["INIT", "ERROR", "INIT"],
    [`right: ${instead}`, "wrong: No build of the client could be loaded.", `wrong: ${instead}`],
  ]);
  await service.waitForStreams(1);
  assert.deepEqual(page.uncaught, []);
});

test("without WebAssembly, a listener of EVALUATION and a predicate may call evaluate while the recorded calls are made", {
  skip,
}, async () => {
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
  });
  const seen = await page.evaluate(async () => {
    const sent = [];
    const flags = () => client.evaluate("consent").isOn();
    const integration = FlagService.exposureIntegration(({ key }) => sent.push(key), { flags });
    const defaultFeatures = { consent: "on" };
    const client = FlagService.init("js-key", { id: "alice" }, { defaultFeatures, integrations: [integration] });
    const events = [];
    client.on("EVALUATION", ({ key }) => {
      events.push(key);
      if (events.length < 100) client.evaluate("debug").isOn();
    });
    for (const key of ["x", "y"]) client.evaluate(key);
    await new Promise((resolve) => client.on("LOADED", resolve));
    return [events.sort(), sent.sort()];
  });
  assert.deepEqual(seen, [
    ["consent", "consent", "debug", "debug", "x", "y"],
    ["consent", "debug", "x", "y"],
  ]);
});

test("without WebAssembly, an offline client answers from defaultFeatures and fires INIT and LOADED", {
  skip,
}, async () => {
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
  });
  const seen = await page.evaluate(async () => {
    start({ id: "alice" }, { offline: true, defaultFeatures: { a: "def" } });
    await until("LOADED");
    const callbackFeatures = await new Promise((resolve) => client.updateUser({ id: "bob" }, resolve));
    return [log.slice(1).map(([name]) => name), client.hasReceivedInitialResponse(), callbackFeatures];
  });
  assert.deepEqual(seen, [["INIT", "LOADED", "INIT", "LOADED"], true, { a: "def" }]);
  assert.equal(service.requests.length, 0);
});

test("without WebAssembly, an offline client asks the service for no build, and fires INIT and LOADED for each user", {
  skip,
}, async () => {
  // An inline script has no file beside it.
  const page = await openWithoutWasm();
  const files = service.files.length;
  const seen = await page.evaluate(async () => {
    const log = [];
    const client = FlagService.init("js-key", { id: "alice" }, { offline: true, defaultFeatures: { a: "def" } });
    const removed = () => log.push("removed");
    client.on("LOADED", removed);
    client.off("LOADED", removed);
    for (const name of ["ERROR", "LOADED", "INIT"]) client.on(name, (argument) => log.push([name, argument]));
    const before = client.hasReceivedInitialResponse();
    await new Promise((resolve) => client.on("LOADED", resolve));
    log.push(client.hasReceivedInitialResponse(), client.evaluate("a").value());
    await new Promise((resolve) => client.updateUser({ id: "bob" }, (features) => resolve(log.push(features))));
    return [before, log, client.getUser().id];
  });
  const all = { a: "def" };
  const load = [
    ["INIT", all],
    ["LOADED", all],
  ];
  assert.deepEqual(seen, [false, [...load, true, "def", ...load, all], "bob"]);
  assert.deepEqual([service.requests, service.files.length], [[], files]);
  assert.deepEqual([page.logs, page.uncaught], [[], []]);
});

test("after a trap in the wasm, the client logs one message and answers with its last values", { skip }, async () => {
  const page = await browser.open(service, () => {
    const { instantiate } = WebAssembly;
    const trapping =
      (call) =>
      (...args) => {
        if (window.trap) throw new WebAssembly.RuntimeError("unreachable");
        return call(...args);
      };
    WebAssembly.instantiate = async (...args) => {
      const { instance } = await instantiate(...args);
      const exports = Object.entries(instance.exports);
      const trapped = exports.map(([name, value]) => [name, typeof value === "function" ? trapping(value) : value]);
      return { instance: { exports: Object.fromEntries(trapped) } };
    };
  });
  await page.evaluate(() => start({ id: "alice" }, { defaultFeatures: { d: "def" } }));
  await service.waitForStreams(1);
  const seen = await page.evaluate(() => {
    window.trap = true;
    return [client.evaluate("a").value(), client.evaluate("d").value(), client.getFeatures(), client.getUser()];
  });
  assert.deepEqual(seen, ["on", "def", { a: "on", b: "off" }, { id: "alice" }]);
  service.change({ a: "off" });
  const callbackFeatures = await page.evaluate(async () => {
    client.goal("purchase");
    const callbackFeatures = await new Promise((resolve) => client.updateUser({ id: "bob" }, resolve));
    client.close();
    return callbackFeatures;
  });
  assert.deepEqual(callbackFeatures, { d: "def" }, "the callback gets the features known for this user");
  assert.equal(page.logs.length, 1);
  assert.deepEqual(page.uncaught, []);
});
