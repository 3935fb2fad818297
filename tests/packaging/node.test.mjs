// The packed package outside a page: in Node, as both kinds of module, and in a worker thread.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Project } from "../support/packaging/project.mjs";

/** Runs first in the process and records whatever compiles, requests or opens something. */
const WATCH = `
const calls = [];
for (const name of ["Module", "Instance", "compile", "instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = new Proxy(original, {
    construct: (...given) => (calls.push(name), Reflect.construct(...given)),
    apply: (...given) => (calls.push(name), Reflect.apply(...given)),
  });
}
for (const name of ["fetch", "EventSource", "setTimeout", "setInterval"]) {
  globalThis[name] = () => (calls.push(name), new Promise(() => {}));
}
const globals = Object.getOwnPropertyNames(globalThis);
globalThis.watched = { calls, added: () => Object.getOwnPropertyNames(globalThis).filter((n) => !globals.includes(n)) };
`;

/** What each entry has to do, in words for both kinds of module: `all` is its namespace. */
const PROVE = `
const { calls, added } = globalThis.watched;
const assert = require("node:assert/strict");
assert.deepEqual(calls, [], "importing does nothing");
assert.deepEqual(added().filter((name) => name !== "watched"), [], "importing defines nothing");
assert.deepEqual(Object.keys(all).sort(), ["FlagService", "analyticsIntegration", "default", "exposureIntegration"]);
const { FlagService, exposureIntegration, analyticsIntegration } = all;
assert.equal(all.default, FlagService);
assert.equal(FlagService.exposureIntegration, exposureIntegration);
assert.equal(FlagService.analyticsIntegration, analyticsIntegration);
const client = FlagService.init("js-key", { id: "ada" }, { bootstrap: { a: "server" }, defaultFeatures: { b: "on" } });
assert.equal(client.evaluate("a").value(), "server");
assert.equal(client.evaluate("b").isOn(), true);
assert.equal(client.evaluate("c").value(), "off");
assert.equal(client.getUser().id, "ada");
assert.deepEqual(calls, [], "init makes no requests and no timers, and compiles nothing in its tick");
client.on("INIT", () => {
  assert.deepEqual(calls.filter((name) => name !== "instantiate"), [], "the core starts without requests and timers");
  process.stdout.write("proved\\n");
});
`;

let project;

before(async () => {
  project = await Project.create();
});

after(() => project?.remove());

const imported = (entry) =>
  `import "./watch.cjs";
import { createRequire } from "node:module";
const all = await import("${entry}");
const require = createRequire(import.meta.url);
${PROVE}`;

const required = (entry) => `require("./watch.cjs");\nconst all = require("${entry}");\n${PROVE}`;

for (const [entry, formats] of [
  ["flagservice-client", { "imported.mjs": imported, "required.cjs": required }],
  ["flagservice-client/no-wasm", { "imported.mjs": imported, "required.cjs": required }],
  ["flagservice-client/wasm", { "imported.mjs": imported }],
]) {
  for (const [name, program] of Object.entries(formats)) {
    test(`${entry}, ${name}: importing has no side effect, init answers from bootstrap, the process exits by itself`, async () => {
      await project.write({ "watch.cjs": WATCH, [name]: program(entry) });
      // Whatever is said beside that, on either stream, is not expected.
      assert.equal(await project.node([name]), "proved\n");
    });
  }
}

test("a server that renders with a bare document or window gets the bootstrap, and its process continues", async () => {
  for (const entry of ["flagservice-client", "flagservice-client/no-wasm"]) {
    for (const shim of [
      "document = {}",
      "window = {}",
      "document = window = {}",
      "window = document = { addEventListener() {} }",
    ]) {
      await project.write({
        "shimmed.cjs": `
globalThis.document = globalThis.window = undefined;
globalThis.${shim.replaceAll(" = w", " = globalThis.w").replaceAll(" = d", " = globalThis.d")};
const { FlagService } = require("${entry}");
const client = FlagService.init("js-key", undefined, { bootstrap: { a: "server" } });
setTimeout(() => console.log(client.evaluate("a").value()), 50);`,
      });
      assert.equal(await project.node(["shimmed.cjs"]), "server\n", `${entry}, ${shim}`);
    }
  }
});

test("the files for a script tag, imported in Node, only define the global FlagService", async () => {
  for (const entry of ["flagservice-client/script", "flagservice-client/script/no-wasm"]) {
    await project.write({
      "watch.cjs": WATCH,
      "script.mjs": `import "./watch.cjs";
await import("${entry}");
const client = FlagService.init("js-key", undefined, { bootstrap: { a: "server" } });
console.log(JSON.stringify([watched.added(), client.evaluate("a").value()]));`,
    });
    assert.deepEqual(JSON.parse(await project.node(["script.mjs"])), [["watched", "FlagService"], "server"]);
  }
});

test("in a worker thread a client answers from bootstrap, and the thread exits by itself", async () => {
  for (const entry of ["flagservice-client", "flagservice-client/no-wasm", "flagservice-client/wasm"]) {
    await project.write({
      "thread.mjs": `import { parentPort } from "node:worker_threads";
import FlagService from "${entry}";
const client = FlagService.init("js-key", { id: "ada" }, { bootstrap: { a: "thread" } });
parentPort.postMessage(client.evaluate("a").value());`,
      "threads.mjs": `import { Worker } from "node:worker_threads";
new Worker(new URL("./thread.mjs", import.meta.url)).on("message", console.log).on("exit", console.log);`,
    });
    assert.equal(await project.node(["threads.mjs"]), "thread\n0\n");
  }
});
