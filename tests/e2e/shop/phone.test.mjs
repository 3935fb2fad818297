// The panel of the demo shop on a phone: a sheet at the bottom.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { isSwitched, openShop, shows, switchOf } from "../../support/browser/shop.mjs";
import { startService } from "../../support/server/service.mjs";

const PHONE = { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true, reducedMotion: "reduce" };

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  await service.letPanelSwitch();
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

const open = async () => openShop(await browser.newContext(PHONE), service);
const bar = (page) => page.getByRole("button", { name: "Feature flags" });

test("on a phone the panel is a bar at the bottom that opens a sheet, by touch and keyboard", async () => {
  const page = await open();
  const { y, height } = await bar(page).boundingBox();
  assert.equal(Math.round(y + height), PHONE.viewport.height);
  assert.equal(await bar(page).getAttribute("aria-expanded"), "false");
  assert.equal(await page.getByRole("radio", { name: "Bo" }).isVisible(), false);

  await bar(page).tap();
  assert.equal(await bar(page).getAttribute("aria-expanded"), "true");
  await isSwitched(page, "New checkout", false);
  await switchOf(page, "New checkout").tap();
  await shows(page, "new-checkout", "on");
  await page.waitForFunction(() => {
    const changed = document.querySelector(".checkouts").getBoundingClientRect();
    return changed.top >= 0 && changed.bottom <= document.querySelector(".panel").getBoundingClientRect().top;
  });

  await page.keyboard.press("Escape");
  assert.equal(await bar(page).getAttribute("aria-expanded"), "false");
  assert.equal(await bar(page).evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".panel-body") !== null), true);
  await bar(page).tap();
  assert.equal(await switchOf(page, "New checkout").count(), 0, "a closed sheet has no controls");
  assert.deepEqual(page.wrongs, []);
});

test("the bar covers no control of the shop: each can be scrolled above it, and the basket's total is above it", async () => {
  await service.change("sticky-basket", { enabled: true });
  const page = await open();
  await shows(page, "sticky-basket", "on");
  const controls = page.locator(".shop :is(a, button, input):visible");
  for (const control of await controls.all()) {
    await control.focus();
    const isInView = await control.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= document.querySelector("[data-panel-bar]").getBoundingClientRect().top;
    });
    assert.equal(isInView, true, await control.evaluate((element) => element.outerHTML));
  }
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  const [foot, tray, top] = await page.evaluate(() =>
    [".foot", ".tray", "[data-panel-bar]"].map((place) => {
      const { top, bottom } = document.querySelector(place).getBoundingClientRect();
      return place === "[data-panel-bar]" ? top : bottom;
    }),
  );
  assert.ok(foot <= top && tray <= top, `${foot}, ${tray}, ${top}`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.viewport.width);
});
