// Node with Express: the example's README is followed, its pages are asked for, and its process is ended and started again.
import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "../../../scripts/processes.mjs";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { openPage, startExample } from "../../support/examples/example.mjs";
import { Terminal } from "../../support/examples/terminal.mjs";

const BUTTONS = { on: "Buy now", off: "Go through the three steps" };
const EVALUATED = ["new-checkout", "express-delivery", "banner-color"];

let example;
let service;
let browser;

before(async () => {
  browser = await launchBrowser();
  example = await startExample("express");
  service = example.service;
});

after(async () => {
  await browser?.close();
  await example?.remove();
});

/** The start command of package.json without npm around it, so that its own exit is seen. */
async function startAlone(t, folder = example.folder) {
  const { scripts } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const options = { cwd: folder, env: { PORT: "0" }, stdio: ["ignore", "pipe", "pipe"] };
  const application = start("sh", ["-c", `exec ${scripts.start}`], options);
  t.after(() => application.stop());
  const terminal = new Terminal(application.child);
  const [, address] = await terminal.says(/Ready: (\S+)/);
  return { ...application, terminal, address };
}

const show = async (address, cookie) => {
  const response = await fetch(address, { headers: cookie ? { cookie } : {} });
  return { html: await response.text(), cookie: response.headers.get("set-cookie")?.split(";")[0] };
};
const health = async (address) => {
  const response = await fetch(new URL("health", address));
  return [response.status, await response.json()];
};
const purchases = async () => (await service.goals()).items.find(({ key }) => key === "purchase").count;

test("the cookie names a new visitor, who sees the features of that user; each evaluation is logged", async () => {
  const { html, cookie } = await show(example.address);
  const id = cookie.replace("flagservice-anonymous-id=", "");
  const features = await service.load({ id });
  assert.match(html, new RegExp(`data-color="${features["banner-color"]}"`));
  assert.match(html, new RegExp(BUTTONS.off));

  const again = await show(example.address, cookie);
  assert.equal(again.html, html);
  assert.equal(again.cookie, undefined, "who has a name keeps it");

  await example.says(new RegExp(`(\\{"event":"evaluation".*${id}.*[^]*){6}`));
  const lines = example.output.split("\n").filter((line) => line.includes(id));
  const expected = EVALUATED.map((key) => ({
    ...{ event: "evaluation", key },
    ...{ variant: features[key], value: features[key], user: id },
  }));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [...expected, ...expected],
  );
});

test("the next request shows a flip, and the visitor's country decides too", async () => {
  const context = await browser.newContext();
  const page = await openPage(context, example.address);
  await page.getByRole("button", { name: BUTTONS.off }).waitFor();
  assert.equal(await page.locator(".express").count(), 0);

  const said = example.output.length;
  assert.match(await example.flip("new-checkout"), /^new-checkout in production: serves off → on 100% {2}/m);
  await example.says(/"UPDATED_FEATURE","features":\["new-checkout"\]/, said);
  await page.reload();
  await page.getByRole("button", { name: BUTTONS.on }).waitFor();

  await page.getByLabel("Deliver to").selectOption("Norway");
  await page.getByRole("button", { name: "Choose" }).click();
  await page.getByText("Today by cargo bicycle").waitFor();
  assert.deepEqual(page.wrongs, []);
  await context.close();
});

test("on SIGTERM the process sends waiting goals and exits, even with a page open", async (t) => {
  const { address, child, exited, terminal } = await startAlone(t);
  const context = await browser.newContext();
  const page = await openPage(context, `${address}?country=SE`);
  const before = await purchases();
  await page.getByRole("button", { name: BUTTONS.on }).click();
  await page.getByText("Thank you").waitFor();
  await page.getByText("Today by cargo bicycle").waitFor();
  assert.equal((await fetch(new URL("purchases", address), { method: "POST", redirect: "manual" })).status, 303);
  child.kill("SIGTERM");
  assert.equal(await exited, 0);
  await terminal.says(/Closed\.\n$/);
  assert.equal(await purchases(), before + 2);
  await context.close();
});

test("started while the service is down, it serves the last known rules from its file", async (t) => {
  const { html, cookie } = await show(example.address);
  assert.match(html, new RegExp(BUTTONS.on));
  await service.kill();
  const { address, child, exited, terminal } = await startAlone(t);
  await terminal.says(/"LOADED_FROM_CACHE"/);
  await terminal.says(/ECONNREFUSED/);
  assert.deepEqual(await health(address), [200, { rules: true }]);
  assert.equal((await show(address, cookie)).html, html);

  await service.start();
  // The first rules after those of the file. They may be those before the change.
  await terminal.says(/"INIT"/);
  await service.change("new-checkout", { enabled: false });
  await terminal.says(/"UPDATED_FEATURE".*"new-checkout"/);
  assert.match((await show(address, cookie)).html, new RegExp(BUTTONS.off));
  child.kill("SIGTERM");
  assert.equal(await exited, 0);
});

test("without service and file it reports that it has no rules, and every feature is off", async (t) => {
  const folder = join(service.folder, "express");
  await cp(example.folder, folder, { recursive: true, filter: (file) => basename(file) !== "last-known-rules" });
  await service.kill();
  const { address, terminal } = await startAlone(t, folder);
  assert.deepEqual(await health(address), [503, { rules: false }]);
  const { html } = await show(address);
  assert.match(html, /data-color="off"/);
  assert.match(html, new RegExp(BUTTONS.off));

  await service.start();
  await terminal.says(/"INIT"/);
  assert.deepEqual(await health(address), [200, { rules: true }]);
});
