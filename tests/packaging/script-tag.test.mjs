// The packed package's files for a script tag, on a plain page in a real Chromium.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FakeService } from "../support/browser/fake-service.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { Site } from "../support/browser/site.mjs";
import { goesLive, noWasm } from "../support/packaging/goes-live.mjs";
import { Project } from "../support/packaging/project.mjs";

const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'";

let project;
let service;
let browser;
let site;
let manifest;

before(async () => {
  [project, service, browser] = await Promise.all([Project.create(), FakeService.start(), launchBrowser()]);
  manifest = JSON.parse(await readFile(join(project.installed, "package.json"), "utf8"));
  const follow = await readFile(join(import.meta.dirname, "app", "follow.js"), "utf8");
  await project.write({ "follow.js": `${follow.replace("export ", "")}\nfollow(FlagService);\n` });
  site = await Site.start(project.folder);
});

after(async () => {
  await site?.stop();
  await browser?.close();
  await service?.stop();
  await project?.remove();
});

/** Where a file of the package stands on the site. */
const address = (file) => join("/node_modules/flagservice-client", file);

/** A page with a script tag, and other elements before it. */
async function page(file, before = "", attributes = "") {
  const scripts = `<script src="${address(file)}"${attributes}></script><script src="/follow.js"></script>`;
  await project.write({
    "index.html": `<!doctype html><title>page</title><link rel="icon" href="data:,"><body>${before}${scripts}</body>`,
  });
  return `${site.base}/`;
}

test("unpkg and jsdelivr serve the file of the export ./script, and a page with it goes live", async () => {
  site.headers = {};
  assert.equal(manifest.jsdelivr, manifest.unpkg);
  assert.equal(manifest.exports["./script"].default, manifest.unpkg);
  assert.deepEqual((await goesLive(browser, service, await page(manifest.unpkg))).said, []);
});

test("where wasm is refused, the script loads the build without wasm from its own folder, with one message", async () => {
  site.headers = noWasm(service);
  const { said, code } = await goesLive(browser, service, await page(manifest.unpkg));
  assert.equal(said.length, 1, said.join("\n"));
  assert.equal(code.at(-1), address("dist/no-wasm-core.mjs"));
});

test("an element of the page whose name is currentScript does not say where the build without wasm is", async () => {
  site.headers = noWasm(service);
  await project.write({ "foreign/image.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  const clobber = '<img name="currentScript" src="/foreign/image.svg">';
  const { code } = await goesLive(browser, service, await page(manifest.unpkg, clobber));
  assert.match(code.at(-1), /^\/client\/v1\/no-wasm-core\//, "the service's");
});

test("noWasmUrl sets the address of the build without wasm", async () => {
  site.headers = noWasm(service);
  const file = "dist/no-wasm-core.mjs";
  await project.write({ "elsewhere.mjs": await readFile(join(project.installed, file), "utf8") });
  const opened = await page(manifest.unpkg);
  const { code } = await goesLive(browser, service, opened, { noWasmUrl: "/elsewhere.mjs" });
  assert.equal(code.at(-1), "/elsewhere.mjs");
});

test("with Trusted Types enforced a page goes live, with and without wasm", async () => {
  for (const sources of ["script-src 'self' 'wasm-unsafe-eval'", "script-src 'self'"]) {
    site.headers = { "content-security-policy": `${sources}; ${TRUSTED_TYPES}` };
    const { said } = await goesLive(browser, service, await page(manifest.unpkg));
    assert.equal(said.length, sources.includes("wasm") ? 0 : 1, said.join("\n"));
  }
});

test("the script without wasm goes live where wasm is refused, without a message", async () => {
  site.headers = noWasm(service);
  const file = manifest.exports["./script/no-wasm"].default;
  assert.deepEqual((await goesLive(browser, service, await page(file))).said, []);
});

/** The hash that the package's README has for a file. */
async function documentedHash(file) {
  const readme = await readFile(join(project.installed, "README.md"), "utf8");
  const [, hash] = readme.match(new RegExp(`\\| \`${file}\` +\\| \`(sha384-[^\`]+)\` +\\|`)) ?? [];
  assert.ok(hash, `the README has the hash of ${file}`);
  return hash;
}

for (const file of ["dist/flagservice.min.js", "dist/flagservice.no-wasm.min.js"]) {
  test(`with the integrity hash of the README a page with ${file} goes live, and not if one byte differs`, async () => {
    site.headers = {};
    const attributes = ` integrity="${await documentedHash(file)}" crossorigin="anonymous"`;
    await goesLive(browser, service, await page(file, "", attributes));
    const changed = "dist/changed.js";
    const text = await readFile(join(project.installed, file), "utf8");
    await writeFile(join(project.installed, changed), `${text} `);
    const opened = await page(changed, "", attributes);
    const context = await browser.newContext();
    try {
      const refusing = await context.newPage();
      await refusing.goto(opened);
      assert.equal(await refusing.evaluate(() => typeof globalThis.FlagService), "undefined");
    } finally {
      await context.close();
    }
  });
}
