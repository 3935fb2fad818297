// The example for a script tag, which is the demo's shop. Its first frame has a test of its own: ../first-paint.test.mjs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { openShop, shows } from "../../support/browser/shop.mjs";
import { startExample } from "../../support/examples/example.mjs";

let browser;
let example;

before(async () => {
  browser = await launchBrowser();
  example = await startExample("script-tag");
});

after(async () => {
  await browser?.close();
  await example?.remove();
});

test("the example for a script tag: a flip changes the open page, and buying is a goal", async () => {
  const { service } = example;
  const page = await openShop(await browser.newContext(), service);
  await shows(page, "new-checkout", "off");
  assert.match(await example.flip("new-checkout"), /^new-checkout in production: off → on /m);
  await shows(page, "new-checkout", "on");
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/goals"));
  await page.locator(".checkouts [data-action='buy']:visible").click();
  assert.deepEqual(await (await answered).json(), { accepted: 1 });
  assert.deepEqual(page.wrongs, []);
});
