// The packed packages in Next.js: pages that are rendered by the build and go live in Chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FakeService } from "../support/browser/fake-service.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { Site } from "../support/browser/site.mjs";
import { goesLive } from "../support/packaging/goes-live.mjs";
import { Project } from "../support/packaging/project.mjs";

const NEXT = join("node_modules", "next", "dist", "bin", "next");

let project;
let service;
let browser;
let site;

before(async () => {
  const packages = Project.create(["flagservice-client", "react-flagservice-client"]);
  [project, service, browser] = await Promise.all([packages, FakeService.start(), launchBrowser()]);
  await project.copy(join(import.meta.dirname, "next"), ".");
  await project.link(["next", "react", "react-dom"]);
  // One build for both packages: it takes longer than all the tests.
  await project.node([NEXT, "build"], { NEXT_TELEMETRY_DISABLED: "1" });
  site = await Site.start(project.path("out"));
});

after(async () => {
  await site?.stop();
  await browser?.close();
  await service?.stop();
  await project?.remove();
});

test("the HTML from the server contains the features of bootstrap", async () => {
  assert.match(await readFile(project.path("out", "index.html"), "utf8"), /<p id="feature">bootstrap<\/p>/);
});

test("the browser hydrates the server's page without a mismatch, loads and follows a change", async () => {
  assert.deepEqual((await goesLive(browser, service, `${site.base}/`)).said, []);
});

test("React: a server component uses the provider; the page is rendered with bootstrap, loads and follows a change", async () => {
  const html = await readFile(project.path("out", "react", "index.html"), "utf8");
  assert.match(html, /<p id="of-the-page">page<\/p><p id="feature">bootstrap<\/p>/);
  service.features = { a: "on" };
  await goesLive(browser, service, `${site.base}/react/`);
});
