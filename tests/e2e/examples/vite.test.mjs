// The example with Vite and TypeScript.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { framesFromCache, openPage, startExample } from "../../support/examples/example.mjs";

let browser;
let context;
let example;

before(async () => {
  browser = await launchBrowser();
  example = await startExample("vite");
  context = await browser.newContext();
});

after(async () => {
  await browser?.close();
  await example?.remove();
});

test("the example with Vite: a flip changes the open page, and the first frame after a reload comes from the cache", async () => {
  const page = await openPage(context, example.address);
  await page.getByRole("button", { name: "Go through the three steps" }).waitFor();
  assert.match(await example.flip("new-checkout"), /^new-checkout in production: serves off → on 100% {2}/m);
  await page.getByRole("button", { name: "Buy now" }).waitFor();
  await example.flip("free-shipping-banner");
  await page.getByText("Delivery is on us").waitFor({ state: "detached" });

  const frames = await framesFromCache(page);
  assert.equal(frames.length, 1, frames.join("\n\n"));
  assert.match(frames[0], /Buy now/);
  assert.deepEqual(page.wrongs, []);
});

test("the example with Vite: the button sends the goal with the person's variants", async () => {
  const { service } = example;
  await service.change("new-checkout", { enabled: true });
  const purchases = async () => {
    const { items } = await service.goals();
    return items.find(({ key }) => key === "purchase").features["new-checkout"].on ?? 0;
  };
  assert.equal(await purchases(), 0);
  const page = await openPage(context, example.address);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/goals"));
  await page.getByRole("button", { name: "Buy now" }).click();
  assert.deepEqual(await (await answered).json(), { accepted: 1 });
  await page.getByText("Thank you.").waitFor();
  assert.equal(await purchases(), 1);
  assert.deepEqual(page.wrongs, []);
});

test("the example with Vite: the built page contains the client key and not the server key", async () => {
  const settings = await readFile(join(example.folder, ".env"), "utf8");
  const [, clientKey] = settings.match(/^FLAGSERVICE_CLIENT_KEY=(\S+)$/m);
  const [, serverKey] = settings.match(/^FLAGSERVICE_SERVER_KEY=(\S+)$/m);
  const folder = join(example.folder, "dist", "assets");
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  assert.ok(files.some((text) => text.includes(clientKey)));
  assert.ok(!files.some((text) => text.includes(serverKey)));
});
