// The packed React package beside the packed client: in bundlers, on a server, and what it holds.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ensureNodeModules, root } from "../../scripts/setup.mjs";
import { FakeService } from "../support/browser/fake-service.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { Site } from "../support/browser/site.mjs";
import { goesLive } from "../support/packaging/goes-live.mjs";
import { Project } from "../support/packaging/project.mjs";
import { BUNDLERS } from "./bundlers.mjs";

const OLDER = join(import.meta.dirname, "react-18");
const REACTS = { "React 18": join(OLDER, "node_modules"), "React 19": join(import.meta.dirname, "node_modules") };

const projects = {};
let service;
let browser;

before(async () => {
  await ensureNodeModules(OLDER);
  [service, browser] = await Promise.all([FakeService.start(), launchBrowser()]);
  for (const [react, packages] of Object.entries(REACTS)) {
    const project = await Project.create(["flagservice-client", "react-flagservice-client"]);
    await project.link(["react", "react-dom"], packages);
    await project.copy(join(import.meta.dirname, "app"), "app");
    projects[react] = project;
  }
});

after(async () => {
  await browser?.close();
  await service?.stop();
  for (const project of Object.values(projects)) await project.remove();
});

/** The texts of all scripts in a folder. */
async function scriptsOf(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.m?js$/.test(name));
  return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}

for (const [react, bundler] of [
  ["React 19", "Vite"],
  ["React 18", "Vite"],
  ["React 19", "esbuild"],
  ["React 19", "webpack"],
]) {
  test(`${bundler}, ${react}: a page answers at once, loads and follows a change, with one copy of the client`, async () => {
    const project = projects[react];
    const folder = project.path(`out-${bundler}`);
    const path = await BUNDLERS[bundler](project, "app/react.js", folder);
    const site = await Site.start(folder);
    try {
      assert.deepEqual((await goesLive(browser, service, `${site.base}${path}`)).said, []);
    } finally {
      await site.stop();
    }
    const copies = (await scriptsOf(folder)).join("").split("flagservice.exposures").length - 1;
    assert.equal(copies, 1, "its ledger of exposures is named once");
  });
}

test("the React package contains README, licence, manifest, two scripts with source maps, types, and nothing of the client", async () => {
  const installed = projects["React 19"].path("node_modules", "react-flagservice-client");
  const names = (await readdir(installed, { recursive: true })).filter((name) => name !== "dist").sort();
  const scripts = ["index.cjs", "index.mjs"];
  const dist = [...scripts, ...scripts.map((name) => `${name}.map`), "index.d.ts", "index.d.cts"];
  assert.deepEqual(names, ["LICENSE", "README.md", "package.json", ...dist.map((name) => `dist/${name}`)].sort());
  for (const name of scripts) {
    const text = await readFile(join(installed, "dist", name), "utf8");
    assert.ok(text.startsWith('"use client";\n'), `${name} says "use client" at the top`);
    assert.doesNotMatch(text, /WebAssembly|flagservice\.exposures/);
    const map = JSON.parse(await readFile(join(installed, "dist", `${name}.map`), "utf8"));
    for (const source of map.sources) assert.match(source, /^\.\.\/js\/(react|shared)\/[\w-]+\.ts$/);
    assert.equal(map.sourcesContent.length, map.sources.length);
  }
});

test("the React package has the version of the browser client, 2.6.0 or newer, and requires React 18 or 19", async () => {
  const read = async (name) => JSON.parse(await readFile(join(root, "dist", name, "package.json"), "utf8"));
  const [client, react] = await Promise.all(["flagservice-client", "react-flagservice-client"].map(read));
  assert.equal(react.name, "react-flagservice-client");
  assert.equal(react.version, client.version);
  const [major, minor] = react.version.split(".").map(Number);
  assert.ok(major > 2 || (major === 2 && minor >= 6), react.version);
  assert.deepEqual(react.peerDependencies, { "flagservice-client": `^${client.version}`, react: ">=18 <20" });
  assert.equal(react.dependencies, undefined);
});

const NAMES = ["FlagServiceProvider", "FlagServiceTestProvider", "analyticsIntegration", "createFlagService"];
NAMES.push("exposureIntegration", "useFeature", "useFeatures", "useFlagService", "useFlagServiceStatus", "useGoal");
NAMES.push("useIsOn", "withFlagService");

const PROVE = `
const { createElement: h } = React;
const { FlagServiceProvider, useFeature, useIsOn } = flags;
const Shows = () => h("p", null, useFeature("a").value(), String(useIsOn("b")));
const html = renderToString(h(FlagServiceProvider, { apiKey: "js-key", config: { bootstrap: { a: "server", b: "on" } } }, h(Shows)));
const same = ["analyticsIntegration", "exposureIntegration"].every((name) => flags[name] === client[name]);
console.log(JSON.stringify([html.replaceAll("<!-- -->", " "), Object.keys(flags).filter((name) => name !== "default").sort(), same]));`;

for (const react of Object.keys(REACTS)) {
  test(`${react}: imported or required, a server renders from bootstrap, and the process exits by itself`, async () => {
    const project = projects[react];
    const packages = { React: "react", flags: "react-flagservice-client", client: "flagservice-client" };
    const imports = Object.entries(packages).map(([name, from]) => `import * as ${name} from "${from}";`);
    const requires = Object.entries(packages).map(([name, from]) => `const ${name} = require("${from}");`);
    await project.write({
      "imported.mjs": `${imports.join("\n")}\nimport { renderToString } from "react-dom/server";${PROVE}`,
      "required.cjs": `${requires.join("\n")}\nconst { renderToString } = require("react-dom/server");${PROVE}`,
    });
    for (const name of ["imported.mjs", "required.cjs"]) {
      assert.deepEqual(JSON.parse(await project.node([name])), ["<p>server true</p>", NAMES, true]);
    }
  });
}
