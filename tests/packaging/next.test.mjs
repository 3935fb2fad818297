// The packed package in Next.js: rendered on a server, and alive in a real Chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FakeService } from "../support/browser/fake-service.mjs";
import { launchBrowser } from "../support/browser/shared-browser.mjs";
import { Site } from "../support/browser/site.mjs";
import { goesLive } from "../support/packaging/goes-live.mjs";
import { Project } from "../support/packaging/project.mjs";

let project;
let service;
let browser;
let site;

before(async () => {
  [project, service, browser] = await Promise.all([Project.create(), FakeService.start(), launchBrowser()]);
  await project.copy(join(import.meta.dirname, "next"), ".");
  await project.link(["next", "react", "react-dom"]);
  await project.node([join("node_modules", "next", "dist", "bin", "next"), "build"], { NEXT_TELEMETRY_DISABLED: "1" });
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
