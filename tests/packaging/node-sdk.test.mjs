// The packed Node SDK: what is in it, as both kinds of module, in bundles, its types, and the examples of its README.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { freePort } from "../../scripts/free-port.mjs";
import { start } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";
import { Project } from "../support/packaging/project.mjs";

const NAME = "flagservice-node-sdk";
const EXPORTS = ["FlagService", "anonymousCookie", "anonymousId", "default", "init", "newAnonymousId"];
const TSC = join(root, "node_modules", "typescript", "bin", "tsc");
const OLDEST_TSC = join(import.meta.dirname, "node_modules", "typescript-oldest", "bin", "tsc");

/** What each kind of module has to do with a service; `all` is its namespace. */
const PROVE = `
const assert = require("node:assert/strict");
const { FlagService } = all;
assert.deepEqual(Object.keys(all).filter((name) => name !== "module.exports").sort(), ${JSON.stringify(EXPORTS)});
(async () => {
  const client = FlagService.init("srv-key", { baseUrl: process.env.SERVICE });
  assert.equal(await client.ready(), true);
  process.stdout.write(client.evaluate("checkout", { id: "alice" }).value() + "\\n");
  await client.close();
})();
`;

let project;
let service;

before(async () => {
  project = await Project.create([NAME]);
  const splits = [{ variantKey: "on", percentage: 100 }];
  const targeting = { enabled: true, offVariantKey: "off", rules: [{ name: "", splits }] };
  const rules = JSON.stringify({
    since: "00000000000000aa.1.1",
    features: [{ key: "checkout", salt: "1", targeting }],
  });
  service = createServer(({ url }, response) => {
    if (url.startsWith("/server/v1/stream"))
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    else response.writeHead(200, { etag: '"00000000000000aa.1.1"' }).end(rules);
  });
  await new Promise((resolve) => service.listen(0, "127.0.0.1", resolve));
});

after(async () => {
  service?.close();
  service?.closeAllConnections();
  await project?.remove();
});

const env = () => ({ SERVICE: `http://127.0.0.1:${service.address().port}` });

test("the package contains README, licence, manifest, one module with its wasm, and types; nothing names the machine", async () => {
  const entries = await readdir(project.installed, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  assert.deepEqual(names.map((name) => name.slice(project.installed.length + 1)).sort(), [
    "LICENSE",
    "README.md",
    "dist/index.cjs",
    "dist/index.d.cts",
    "dist/index.d.ts",
    "dist/index.mjs",
    "dist/rules-wasm.cjs",
    "dist/third-party-licenses.txt",
    "package.json",
  ]);
  for (const name of names) {
    let text = await readFile(name, "utf8");
    if (name.endsWith("rules-wasm.cjs"))
      text += Buffer.from(text.match(/"([^"]+)", "base64"/)[1], "base64").toString("latin1");
    for (const folder of [root, homedir(), "/.cargo/", "file:///"]) {
      assert.equal(text.includes(folder), false, `${name} names ${folder}`);
    }
  }
});

test("the package is flagservice-node-sdk, 0.9.0 or newer", async () => {
  const { name, version } = JSON.parse(await readFile(join(project.installed, "package.json"), "utf8"));
  assert.equal(name, NAME);
  const [major, minor] = version.split(".").map(Number);
  assert.ok(major > 0 || minor >= 9, version);
});

test("imported or required, it loads, evaluates, and lets the process exit", async () => {
  const imported = `import { createRequire } from "node:module";
const all = await import("${NAME}");
const require = createRequire(import.meta.url);
${PROVE}`;
  await project.write({ "imported.mjs": imported, "required.cjs": `const all = require("${NAME}");\n${PROVE}` });
  for (const name of ["imported.mjs", "required.cjs"]) assert.equal(await project.node([name], env()), "on\n", name);
});

test("imported and required in one process, it is the same object", async () => {
  await project.write({
    "both.mjs": `import { createRequire } from "node:module";
import FlagService from "${NAME}";
console.log(FlagService === createRequire(import.meta.url)("${NAME}").FlagService);`,
  });
  assert.equal(await project.node(["both.mjs"]), "true\n");
});

test("it works when bundled into one file, as an ES module and as CommonJS", async () => {
  await project.write({
    "entry.mjs": `import FlagService from "${NAME}";
const client = FlagService.init("srv-key", { baseUrl: process.env.SERVICE });
client.ready().then(async () => {
  console.log(client.evaluate("checkout", { id: "alice" }).value());
  await client.close();
});`,
  });
  for (const [format, name] of [
    ["esm", "bundle.mjs"],
    ["cjs", "bundle.cjs"],
  ]) {
    const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;
    await build({
      ...{ entryPoints: [project.path("entry.mjs")], outfile: project.path("alone", name), format },
      ...{ bundle: true, platform: "node", logLevel: "silent", banner: format === "esm" ? { js: banner } : {} },
    });
    assert.equal(await project.node([join("alone", name)], env()), "on\n", format);
  }
});

test("where a default import of CommonJS is its export default, as in bundles of Rollup and Vite, it works too", async () => {
  const dist = join(project.installed, "dist");
  const text = await readFile(join(dist, "index.mjs"), "utf8");
  // The plugin for CommonJS puts this between the two modules.
  const bundled = `import cjs from "./index.cjs";
function getDefaultExportFromCjs (x) {
  return x && x.__esModule && Object.prototype.hasOwnProperty.call(x, 'default') ? x['default'] : x;
}
const sdk = getDefaultExportFromCjs(cjs);`;
  const replaced = text.replace('import sdk from "./index.cjs";', bundled);
  assert.notEqual(replaced, text);
  const file = join("node_modules", NAME, "dist", "bundled.mjs");
  await project.write({
    [file]: replaced,
    "rollup.mjs": `import { createRequire } from "node:module";
const all = await import("./${file}");
const require = createRequire(import.meta.url);
${PROVE}
assert.equal(all.default, FlagService);`,
  });
  assert.equal(await project.node(["rollup.mjs"], env()), "on\n");
});

test("the current and the oldest TypeScript find the types and report a mistake", async () => {
  const use = `import FlagService, { init, type Client, type EvaluationEvent } from "${NAME}";
const client: Client<"checkout"> = FlagService.init<"checkout">("srv-key", { baseUrl: "https://flags.example.com" });
client.on("EVALUATION", ({ key, variant, value, user }: EvaluationEvent) => [key, variant, value, user.id]);
const on: boolean = client.evaluate("checkout", { id: "a", attributes: { plans: ["pro"], age: 41 } }).isOn();
const ready: Promise<boolean> = init("srv-key").ready();
export { on, ready };
`;
  const commonJs = `import sdk = require("${NAME}");\nsdk.FlagService.init("srv-key").evaluate("a", { id: "b" }).isOn();\n`;
  const mistake = `import FlagService from "${NAME}";\nFlagService.init<"a">("srv-key").evaluate("b", { id: "c" });\n`;
  await project.write({ "use.mts": use, "use.cts": commonJs, "mistake.mts": mistake });
  const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--module", "node16"];
  for (const tsc of [TSC, OLDEST_TSC]) {
    const settings = [...options, "--moduleResolution", "node16", "--types", ""];
    assert.equal(await project.node([tsc, ...settings.slice(0, -2), "use.mts", "use.cts"]), "");
    const failed = await project.node([tsc, ...settings.slice(0, -2), "mistake.mts"]).catch((error) => error.output);
    assert.match(failed, /mistake\.mts\(2,\d+\): error TS2345/);
  }
});

/** An example that serves: it says where, answers, and ends when it is told to. */
async function serves(name, env) {
  const { child, exited, stop } = start(process.execPath, [name], {
    cwd: project.folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const answer = await fetch(line.match(/Listening on (\S+)/)[1], { headers: { connection: "close" } });
  assert.match(answer.headers.get("set-cookie"), /^flagservice-anonymous-id=anonymous:[0-9a-f]{32}; Path=/);
  assert.match(await answer.text(), /<h1>New checkout<\/h1>[\s\S]*\{"checkout":"on"\}/);
  await stop("SIGTERM");
  assert.equal(await exited, 0);
}

test("the examples of the README run", async () => {
  const readme = await readFile(join(project.installed, "README.md"), "utf8");
  const examples = [...readme.matchAll(/```(js|cjs)\n([\s\S]*?)```/g)];
  assert.ok(examples.length >= 3);
  for (const [place, [, kind, text]] of examples.entries()) {
    const name = `example-${place}.${kind === "js" ? "mjs" : "cjs"}`;
    await project.write({ [name]: text });
    const environment = { FLAGSERVICE_KEY: "srv-key", FLAGSERVICE_URL: env().SERVICE };
    // An example that does not end would be a process that is kept alive.
    if (!text.includes("createServer")) assert.match(await project.node([name], environment), /\bon\b|sees/, text);
    else await serves(name, { ...environment, PORT: String(await freePort()) });
  }
});
