// The packed package in each bundler, and what it made in a real Chromium.
import assert from "node:assert/strict";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { FakeService } from "../support/browser/fake-service.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { Site } from "../support/browser/site.mjs";
import { goesLive, noWasm } from "../support/packaging/goes-live.mjs";
import { Project } from "../support/packaging/project.mjs";
import { BUNDLERS, viteServer } from "./bundlers.mjs";

let project;
let service;
let browser;
let version;

before(async () => {
  [project, service, browser] = await Promise.all([Project.create(), FakeService.start(), launchBrowser()]);
  await project.copy(join(import.meta.dirname, "app"), "app");
  ({ version } = JSON.parse(await readFile(join(project.installed, "package.json"), "utf8")));
});

after(async () => {
  for (const site of sites.values()) await site.stop();
  await browser?.close();
  await service?.stop();
  await project?.remove();
});

/** Each bundled module of app/ and its site; `site.page` is the address of the page. */
const sites = new Map();

/** Hands `work` the site of a module, which is bundled once. */
async function onSite(bundler, module, work) {
  const folder = project.path("out", String(sites.size));
  const name = `${bundler}: ${module}`;
  if (!sites.has(name)) {
    const path = await BUNDLERS[bundler](project, `app/${module}`, folder);
    const site = await Site.start(folder);
    sites.set(name, Object.assign(site, { folder, page: `${site.base}${path}` }));
  }
  const site = sites.get(name);
  const { headers, types } = site;
  try {
    await work(site);
  } finally {
    Object.assign(site, { headers, types });
  }
}

const isWasm = (path) => path.endsWith(".wasm");

for (const bundler of Object.keys(BUNDLERS)) {
  test(`${bundler}: a page answers at once, loads and follows a change; where wasm is refused too, with one message`, () =>
    onSite(bundler, "default.js", async (site) => {
      const usual = await goesLive(browser, service, site.page);
      assert.deepEqual(usual.said, []);
      assert.equal(usual.code.some(isWasm), false, "the wasm is inside the script");
      site.headers = noWasm(service);
      const refused = await goesLive(browser, service, site.page);
      assert.equal(refused.said.length, 1, refused.said.join("\n"));
      assert.match(refused.said[0], /WebAssembly is not available/);
      // The build without wasm comes from the service, and no bundle contains it.
      const more = refused.code.filter((path) => !usual.code.includes(path));
      assert.deepEqual(more, [`/client/v1/no-wasm-core/${version}.mjs`], refused.code.join(" "));
    }));

  test(`${bundler}: a page with the client downloads at most 16,500 bytes after brotli`, () =>
    onSite(bundler, "alone.js", async (site) => {
      const names = (await readdir(site.folder, { recursive: true })).filter((name) => /\.m?js$/.test(name));
      const sizes = await Promise.all(
        names.map(async (name) => brotliCompressSync(await readFile(join(site.folder, name))).length),
      );
      const size = sizes.reduce((sum, one) => sum + one, 0);
      assert.ok(size <= 16_500, `${size} bytes: ${names.join(" ")}`);
    }));

  test(`${bundler}: the entry ./no-wasm goes live where wasm is refused, without a message`, () =>
    onSite(bundler, "no-wasm.js", async (site) => {
      site.headers = noWasm(service);
      assert.deepEqual((await goesLive(browser, service, site.page)).said, []);
    }));

  test(`${bundler}: the file for a script tag is kept when it is imported for its side effect`, () =>
    onSite(bundler, "script.js", async (site) => {
      assert.deepEqual((await goesLive(browser, service, site.page)).said, []);
    }));

  test(`${bundler}: an unused import leaves nothing of the client in the bundle`, () =>
    onSite(bundler, "unused.js", async (site) => {
      const names = (await readdir(site.folder, { recursive: true })).filter((name) => /\.m?js$/.test(name));
      const texts = await Promise.all(names.map((name) => readFile(join(site.folder, name), "utf8")));
      assert.match(texts.join(""), /unused/);
      assert.doesNotMatch(texts.join(""), /WebAssembly|flagservice/i);
    }));
}

for (const bundler of ["webpack", "esbuild, one file"]) {
  test(`${bundler}: required from CommonJS, a page goes live with and without wasm`, () =>
    onSite(bundler, "required.cjs", async (site) => {
      assert.deepEqual((await goesLive(browser, service, site.page)).said, []);
      site.headers = noWasm(service);
      assert.equal((await goesLive(browser, service, site.page)).said.length, 1);
    }));
}

for (const bundler of ["Vite", "webpack"]) {
  test(`${bundler}: ./wasm answers at once, and goes live once its file has loaded, with any media type`, () =>
    onSite(bundler, "wasm.js", async (site) => {
      for (const type of ["application/wasm", "text/plain"]) {
        site.types = { ...site.types, ".wasm": type };
        const { said, code } = await goesLive(browser, service, site.page);
        assert.deepEqual(said, []);
        assert.deepEqual(code.map(isWasm).sort(), [false, true], code.join(" "));
      }
    }));

  test(`${bundler}: ./wasm goes live without wasm where wasm is refused, with one message`, () =>
    onSite(bundler, "wasm.js", async (site) => {
      site.headers = noWasm(service);
      const { said, code } = await goesLive(browser, service, site.page);
      assert.equal(said.length, 1, said.join("\n"));
      assert.deepEqual(code.map(isWasm).sort(), [false, false, true], code.join(" "));
    }));

  test(`${bundler}: in a worker a client answers from bootstrap`, () =>
    onSite(bundler, "with-worker.js", async (site) => {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(site.page);
        await page.waitForSelector("body[data-worker=worker]", { state: "attached" });
      } finally {
        await context.close();
      }
    }));
}

for (const bundler of ["Rollup", "esbuild"]) {
  test(`${bundler}: ./wasm goes live with its file beside the script, and without wasm if the file is missing`, () =>
    onSite(bundler, "wasm.js", async (site) => {
      const { said, code } = await goesLive(browser, service, site.page, { missing: true });
      assert.equal(said.length, 1, said.join("\n"));
      assert.deepEqual(code.map(isWasm).sort(), [false, false, true], code.join(" "));
      const file = createRequire(project.path("package.json")).resolve("flagservice-client/core.wasm");
      await copyFile(file, join(site.folder, "core.wasm"));
      const copied = await goesLive(browser, service, site.page);
      assert.deepEqual(copied.code.map(isWasm).sort(), [false, true], copied.code.join(" "));
    }));
}

for (const [module, wasmFiles] of Object.entries({ "default.js": 0, "wasm.js": 1 })) {
  test(`Vite's development server: app/${module} goes live, on wasm`, async () => {
    const server = await viteServer(project, `app/${module}`);
    try {
      const { said, code } = await goesLive(browser, service, server.address);
      assert.deepEqual(said, []);
      assert.equal(code.filter(isWasm).length, wasmFiles, code.join(" "));
      assert.equal(
        code.some((path) => path.includes("no-wasm")),
        false,
        code.join(" "),
      );
    } finally {
      await server.stop();
    }
  });
}
