// The example for a script tag, which is the demo's shop. Its first frame has a test of its own: ../first-paint.test.mjs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeFindsNothing } from "../../support/admin/admin.mjs";
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
  assert.match(await example.flip("new-checkout"), /^new-checkout in production: serves off → on 100% {2}/m);
  await shows(page, "new-checkout", "on");
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/goals"));
  await page.locator(".checkouts [data-action='buy']:visible").click();
  assert.deepEqual(await (await answered).json(), { accepted: 1 });
  assert.deepEqual(page.wrongs, []);
});

const WIDTHS = [360, 390, 768, 960, 1440, 1920];

/** Opens the shop in a window of this width. On a phone, `openPanel` opens the sheet with the panel. */
async function openAt(width) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
  const page = await openShop(context, example.service);
  const bar = page.getByRole("button", { name: "Feature flags" });
  page.openPanel = async () => {
    if (await bar.isVisible()) await bar.click();
  };
  return page;
}

async function endsWell(page, width) {
  assert.equal(
    await page.evaluate(() => document.documentElement.scrollWidth),
    width,
    "nothing is wider than the window",
  );
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
}

for (const width of WIDTHS) {
  test(`axe finds nothing on a shop of ${width} px with a log, in light and dark mode`, async () => {
    const page = await openAt(width);
    await axeFindsNothing(page);
    await page.openPanel();
    await page.locator(".evaluations summary").click();
    await page.locator("[data-evaluation-list] li").first().waitFor();
    await axeFindsNothing(page);
    await endsWell(page, width);
  });
}

for (const width of WIDTHS) {
  test(`axe finds nothing on a shop of ${width} px with switches, in light and dark mode`, async () => {
    await example.service.letPanelSwitch();
    const page = await openAt(width);
    await page.openPanel();
    await page
      .getByRole("button", { name: /^See it as/ })
      .first()
      .waitFor();
    await axeFindsNothing(page);
    await endsWell(page, width);
  });
}
