// The example with OpenFeature's web SDK.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { framesFromCache, openPage, startExample } from "../../support/examples/example.mjs";

let browser;
let context;
let example;

before(async () => {
  browser = await launchBrowser();
  example = await startExample("openfeature-web");
  context = await browser.newContext();
});

after(async () => {
  await browser?.close();
  await example?.remove();
});

test("the example with OpenFeature: a flip changes the open page, and a reload starts from the cache", async () => {
  const page = await openPage(context, example.address);
  await page.getByRole("button", { name: "Go through the three steps" }).waitFor();
  assert.match(await example.flip("new-checkout"), /^new-checkout in production: serves off → on 100% {2}/m);
  await page.getByRole("button", { name: "Buy now" }).waitFor();
  const frames = await framesFromCache(page);
  assert.match(frames.at(-1), /Buy now/);
  for (const text of frames) assert.doesNotMatch(text, /three steps/);
  assert.deepEqual(page.wrongs, []);
});

test("the example with OpenFeature: another person gets the features that are targeted at them", async () => {
  const page = await openPage(context, example.address);
  const bicycle = page.getByText("by cargo bicycle");
  await bicycle.waitFor();
  await page.getByLabel("Bo, in the United States").check();
  await bicycle.waitFor({ state: "detached" });
  await page.getByLabel("Ada, in Sweden").check();
  await bicycle.waitFor();
  assert.deepEqual(page.wrongs, []);
});

test("the example with OpenFeature: a tracked event is a goal", async () => {
  const { service } = example;
  const purchases = async () => (await service.goals()).items.find(({ key }) => key === "purchase").count;
  const before = await purchases();
  const page = await openPage(context, example.address);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/goals"));
  await page.getByRole("button").click();
  assert.deepEqual(await (await answered).json(), { accepted: 1 });
  await page.getByText("Thank you.").waitFor();
  assert.equal(await purchases(), before + 1);
  assert.deepEqual(page.wrongs, []);
});
