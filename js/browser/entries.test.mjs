// The package's entries: their exports, importing them outside of a page, and pages without WebAssembly.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import vm from "node:vm";
import { setupBrowserTest } from "../../tests/support/browser/browser-test.mjs";
import { withoutWasm } from "../../tests/support/browser/fake-service.mjs";

const { service, browser } = setupBrowserTest();

const PACKAGE = join(import.meta.dirname, "..", "..", "dist", "flagservice-client");
const DIST = join(PACKAGE, "dist");
const MODULES = ["index.mjs", "no-wasm.mjs", "wasm.mjs", "node.mjs"];
const ENTRIES = ["flagservice-client", "flagservice-client/no-wasm", "flagservice-client/wasm"];
const COMMONJS = ["index.cjs", "no-wasm.cjs"];

/** Runs a module in a Node process and returns its output. */
/** The output of a module, which must end soon: a client without a page leaves nothing open. */
async function runInNode(code) {
  const args = ["--input-type=module", "--eval", code];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: DIST, timeout: 20_000 });
  return stdout + stderr;
}

test("the package is flagservice-client, 2.6.0 or newer", async () => {
  const { name, version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  assert.equal(name, "flagservice-client");
  const [major, minor] = version.split(".").map(Number);
  assert.ok(major > 2 || (major === 2 && minor >= 6), version);
});

test("the default export and the named export FlagService are the same object, and the integrations are named exports", async () => {
  const require = createRequire(import.meta.url);
  const entries = [
    ...(await Promise.all(MODULES.map((file) => import(join(DIST, file))))),
    ...COMMONJS.map((file) => require(join(DIST, file))),
  ];
  for (const { default: byDefault, FlagService, analyticsIntegration, exposureIntegration } of entries) {
    assert.equal(typeof FlagService.init, "function");
    assert.equal(byDefault, FlagService);
    assert.equal(FlagService.analyticsIntegration, analyticsIntegration);
    assert.equal(FlagService.exposureIntegration, exposureIntegration);
  }
});

test("the script tag defines only the global FlagService, which has the integrations", async () => {
  const page = await browser.open(service);
  const seen = await page.evaluate(() => [
    typeof FlagService.init,
    typeof FlagService.analyticsIntegration,
    typeof FlagService.exposureIntegration,
    Object.keys(FlagService.events).sort(),
    Object.keys(window).filter((name) => /flagservice/i.test(name)),
  ]);
  assert.deepEqual(seen, [
    "function",
    "function",
    "function",
    ["ERROR", "EVALUATION", "INIT", "LOADED", "LOADED_FROM_CACHE", "UPDATED_FEATURE"],
    ["FlagService"],
  ]);
});

test("the published types mark LOADED as deprecated in favour of INIT", async () => {
  const text = await readFile(join(DIST, "index.d.ts"), "utf8");
  const commentOf = (name) =>
    text.match(new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*readonly ${name}: "${name}";`))?.[1];
  assert.match(commentOf("LOADED"), /@deprecated Use INIT\./);
  assert.doesNotMatch(commentOf("INIT"), /@deprecated/);
});

/** Records the requests and timers of a module. */
const SPY = `
  const seen = [];
  globalThis.fetch = () => seen.push("fetch");
  for (const name of ["setTimeout", "setInterval"]) {
    const real = globalThis[name];
    globalThis[name] = (...args) => { seen.push(name); return real(...args); };
  }`;

for (const entry of ENTRIES) {
  test(`importing ${entry} in Node has no effects, and init works with bootstrap and defaultFeatures`, async () => {
    const output = await runInNode(`${SPY}
      const before = Object.keys(globalThis).length;
      const { FlagService } = await import("${entry}");
      seen.push(Object.keys(globalThis).length - before);
      const imported = [...seen];
      const sent = [];
      const integrations = [FlagService.exposureIntegration(({ key }) => sent.push(key))];
      const config = { bootstrap: { a: "boot" }, defaultFeatures: { a: "def", d: "def" }, integrations };
      const client = FlagService.init("js-key", undefined, config);
      const values = ["a", "d", "x"].map((key) => client.evaluate(key).value());
      const { id } = client.getUser();
      client.goal("purchase");
      await new Promise((resolve) => client.on("INIT", resolve));
      console.log(JSON.stringify([imported, values, sent, client.getFeatures(), id.slice(0, 10)]));`);
    assert.deepEqual(JSON.parse(output), [[0], ["boot", "def", "off"], ["a", "d", "x"], { a: "boot" }, "anonymous:"]);
  });
}

/** The CommonJS entry in a page as Jest's jsdom environment makes it, which has neither `TextEncoder` nor `TextDecoder`, and its logs. */
async function inTestEnvironment(globals) {
  const logs = [];
  const log = (...details) => logs.push(details);
  const page = vm.createContext({
    ...{
      setTimeout,
      clearTimeout,
      queueMicrotask,
      URL,
      AbortController,
      module: {},
      console: { warn: log, error: log },
    },
    ...{
      document: { visibilityState: "visible", cookie: "" },
      location: { href: "http://localhost/", protocol: "http:" },
    },
    ...{ addEventListener() {}, removeEventListener() {}, ...globals },
  });
  vm.runInContext(await readFile(join(DIST, "index.cjs"), "utf8"), page);
  return [page.module.exports.FlagService, logs];
}

/** An offline client and its features, once it has dispatched one of the events. */
async function offlineClient(FlagService, ...events) {
  const client = FlagService.init("js-any", { id: "ada" }, { offline: true, defaultFeatures: { a: "on" } });
  const event = await Promise.race(events.map((name) => new Promise((done) => client.on(name, () => done(name)))));
  return [event, client.evaluate("a").isOn(), client.evaluate("b").value(), client.evaluateAll().a];
}

test("where TextEncoder and TextDecoder are missing, importing works, and an offline client answers without a log", async () => {
  const [FlagService, logs] = await inTestEnvironment({});
  assert.deepEqual(await offlineClient(FlagService, "LOADED", "ERROR"), ["LOADED", true, "off", "on"]);
  assert.deepEqual(logs, []);
  // One that uses the service works as without WebAssembly.
  const client = FlagService.init("js-any", { id: "Zoë" }, { defaultFeatures: { a: "on" }, streaming: false });
  assert.equal(await new Promise((done) => client.on("ERROR", done)), "No build of the client could be loaded.");
  assert.deepEqual([client.evaluate("a").value(), logs.length], ["on", 2]);
});

test("a test environment that gets TextEncoder and TextDecoder from Node has the events too", async () => {
  const [FlagService, logs] = await inTestEnvironment({ TextEncoder, TextDecoder });
  assert.deepEqual(await offlineClient(FlagService, "LOADED", "ERROR"), ["LOADED", true, "off", "on"]);
  assert.deepEqual(logs, []);
});

test("INIT and LOADED also fire in Node", async () => {
  const output = await runInNode(`
    const { FlagService } = await import("./index.mjs");
    const client = FlagService.init("js-key", undefined, { defaultFeatures: { d: "def" } });
    const log = ["returned"];
    for (const name of Object.keys(FlagService.events)) client.on(name, (argument) => log.push([name, argument]));
    await new Promise((resolve) => client.on("LOADED", resolve));
    console.log(JSON.stringify([log, client.hasReceivedInitialResponse()]));`);
  assert.deepEqual(JSON.parse(output), [["returned", ["INIT", { d: "def" }], ["LOADED", { d: "def" }]], true]);
});

for (const entry of ENTRIES) {
  test(`in Node, ${entry} tells a later listener of EVALUATION of each evaluation, and the others once of each load`, async () => {
    const output = await runInNode(`
      const { FlagService } = await import("${entry}");
      const config = { bootstrap: { a: "boot" }, defaultFeatures: { d: "def" } };
      const client = FlagService.init("js-key", { id: "ada" }, config);
      const log = [];
      const listen = (name) => client.on(name, (argument) => log.push(name, argument));
      ["INIT", "LOADED"].forEach(listen);
      await new Promise((resolve) => client.on("LOADED", resolve));
      client.evaluate("a");
      client.on("EVALUATION", ({ key, variant, user }) => log.push([key, variant, user.id].join(" ")));
      for (const key of ["a", "d", "x"]) client.evaluate(key);
      listen("INIT");
      await new Promise((resolve) => client.updateUser({ id: "bob" }, (features) => resolve(log.push(features))));
      client.evaluate("a");
      client.close();
      client.evaluate("d");
      console.log(JSON.stringify(log));`);
    const [boot, def] = [{ a: "boot" }, { d: "def" }];
    assert.deepEqual(JSON.parse(output), [
      ...["INIT", boot, "LOADED", boot],
      ...["a boot ada", "d def ada", "x off ada"],
      ...["INIT", def, "INIT", def, "LOADED", def, def],
      "a off bob",
    ]);
  });
}

test("in Node, a listener may replace the user or close the client, and no event of the earlier user follows", async () => {
  const output = await runInNode(`
    const { FlagService } = await import("flagservice-client");
    const log = [];
    const client = FlagService.init("js-key", { id: "ada" });
    client.on("INIT", () => {
      const { id } = client.getUser();
      log.push("INIT " + id);
      if (id === "ada") client.updateUser({ id: "bob" }, () => client.close());
      else throw new Error("no");
    });
    client.on("LOADED", () => log.push("LOADED " + client.getUser().id));
    await new Promise(setImmediate);
    client.on("INIT", () => log.push("closed"));
    client.updateUser({ id: "eve" });
    await new Promise(setImmediate);
    console.log(JSON.stringify(log));`);
  const [log, ...lines] = output.split("\n");
  assert.deepEqual(JSON.parse(log), ["INIT ada", "INIT bob", "LOADED bob"]);
  assert.match(lines.join("\n"), /^FlagService: A listener of INIT threw an error\. Error: no/);
});

test("importing in a worker has no effects, and init works there with defaultFeatures", async () => {
  service.scripts["/worker.mjs"] = `
    import { FlagService } from "/index.mjs";
    const client = FlagService.init("js-key", { id: "alice" }, { defaultFeatures: { d: "def" } });
    const now = client.evaluate("d").value();
    client.on("LOADED", (features) => postMessage([now, features]));`;
  const page = await browser.open(service);
  const seen = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker("/worker.mjs", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  );
  assert.deepEqual(seen, ["def", { d: "def" }]);
  assert.deepEqual(service.requests, []);
});

/** A page whose module `script` calls `init` where WebAssembly is not available. Returns the paths of the files that it loaded. */
async function withoutWebAssembly(script) {
  service.scripts["/page.mjs"] = script;
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
  });
  await page.addScriptTag({ url: "/page.mjs", type: "module" });
  await service.waitForStreams(1);
  service.change({ a: "changed" });
  await page.waitForFunction(() => client.evaluate("a").is("changed"));
  assert.equal(await page.evaluate(() => first), "def");
  assert.equal(page.logs.length, 1);
  assert.match(page.logs[0], /WebAssembly/);
  return service.files;
}

test("without WebAssembly, the module loads the build without it from the service, in its own version", async () => {
  const { version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  const files = await withoutWebAssembly(`
    import { FlagService } from "/index.mjs";
    window.client = FlagService.init("js-key", { id: "alice" }, { defaultFeatures: { a: "def" } });
    window.first = client.evaluate("a").value();`);
  assert.equal(files.at(-1), `/client/v1/no-wasm-core/${version}.mjs`);
});

test("without WebAssembly, the module loads the build without it from noWasmUrl", async () => {
  service.scripts["/elsewhere.mjs"] = await readFile(join(DIST, "no-wasm-core.mjs"), "utf8");
  const files = await withoutWebAssembly(`
    import { FlagService } from "/index.mjs";
    const config = { defaultFeatures: { a: "def" }, noWasmUrl: "/elsewhere.mjs" };
    window.client = FlagService.init("js-key", { id: "alice" }, config);
    window.first = client.evaluate("a").value();`);
  assert.equal(files.at(-1), "/elsewhere.mjs");
});

test("in a bundle that is no module, ./wasm has no address for core.wasm, and loads the build without wasm", async () => {
  const text = JSON.stringify(await readFile(join(DIST, "wasm.mjs"), "utf8"));
  const files = await withoutWebAssembly(`
    const module = URL.createObjectURL(new Blob([${text}], { type: "text/javascript" }));
    const { FlagService } = await import(module);
    window.client = FlagService.init("js-key", { id: "alice" }, { defaultFeatures: { a: "def" } });
    window.first = client.evaluate("a").value();`);
  assert.match(files.at(-1), /^\/client\/v1\/no-wasm-core\//);
});

test("the script tag loads the build without wasm from noWasmUrl", { skip: withoutWasm }, async () => {
  service.scripts["/elsewhere.mjs"] = await readFile(join(DIST, "no-wasm-core.mjs"), "utf8");
  const page = await browser.open(service, () => {
    delete window.WebAssembly;
  });
  await page.evaluate(() => start({ id: "alice" }, { noWasmUrl: "/elsewhere.mjs" }));
  await service.waitForStreams(1);
  assert.ok(service.files.includes("/elsewhere.mjs"), `${service.files}`);
  assert.ok(!service.files.includes("/no-wasm-core.mjs"), `${service.files}`);
  assert.equal(await page.evaluate(() => client.evaluate("a").value()), "on");
});
