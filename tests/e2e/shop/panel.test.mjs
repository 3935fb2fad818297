// The panel of the demo shop: its switches, and the light on what they change.
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isLoopback } from "../../../scripts/demo/panel.mjs";
import { launchBrowser } from "../../support/browser/shared-browser.mjs";
import { isSwitched, openShop, seeAs, shows, switchOf } from "../../support/browser/shop.mjs";
import { startService } from "../../support/server/service.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});

after(async () => {
  await browser?.close();
  await service?.remove();
});

/** Opens the shop with its switches in a window of its own. `window.lights` records what is lit up. */
async function openWithSwitches(options) {
  await service.letPanelSwitch();
  const context = await browser.newContext(options);
  await context.addInitScript(recordLights);
  const page = await openShop(context, service);
  await page.locator("[role=switch]:not([aria-disabled=true])").first().waitFor({ state: "attached" });
  return page;
}

/** In the page: records each frame with a label. */
function recordLights() {
  window.lights = [];
  const onAdded = (frame) => {
    if (!frame.classList?.contains("spotlight") || frame.textContent === "") return;
    const { left, top, bottom } = frame.getBoundingClientRect();
    const { animationTimingFunction } = getComputedStyle(frame);
    window.lights.push({ label: frame.textContent, left, top, bottom, animationTimingFunction });
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) onAdded(node);
  }).observe(document, { childList: true, subtree: true });
}

/** Waits until a frame with this label was shown, and returns it. */
async function lit(page, label) {
  const find = (label) => window.lights.findLast((light) => light.label === label);
  return (await page.waitForFunction(find, label)).jsonValue();
}

const note = (page, feature) => page.locator(`[data-feature="${feature}"] .note`);

test("without the demo the panel shows each feature and switches none", async () => {
  const page = await openShop(await browser.newContext(), service);
  await shows(page, "new-checkout", "off");
  assert.equal(await page.locator("[data-feature]").count(), 12);
  assert.equal(await page.getByRole("switch").count(), 0);
  assert.equal(await page.locator("a[href*='/projects/']").count(), 0);
  await page.context().close();
});

test("a switch turns its feature on and off over REST, by mouse and keyboard, and other open windows follow", async () => {
  const page = await openWithSwitches();
  const other = await openShop(await browser.newContext(), service);
  await isSwitched(page, "New checkout", false);
  await switchOf(page, "New checkout").click();
  await isSwitched(page, "New checkout", true);
  await Promise.all([shows(page, "new-checkout", "on"), shows(other, "new-checkout", "on")]);
  assert.equal((await service.read("new-checkout")).enabled, true);
  await page.getByRole("button", { name: "Buy now" }).waitFor();

  await switchOf(page, "New checkout").press("Space");
  await Promise.all([shows(page, "new-checkout", "off"), shows(other, "new-checkout", "off")]);
  assert.equal((await service.read("new-checkout")).enabled, false);
  await service.change("new-checkout", { enabled: true });
  await isSwitched(page, "New checkout", true);
  await service.change("new-checkout", { enabled: false });
  await isSwitched(page, "New checkout", false);
  assert.deepEqual([...page.wrongs, ...other.wrongs], []);
});

test("nothing in the panel moves while the page opens", async () => {
  const page = await openWithSwitches();
  await page.addInitScript(() => {
    window.moved = [];
    const note = ({ node }) => node?.parentElement?.closest(".panel") && window.moved.push(node.outerHTML ?? node.data);
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) sources.forEach(note);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (let reload = 0; reload < 8; reload += 1) {
    await page.reload();
    await page.waitForSelector("[data-event='INIT']");
    await isSwitched(page, "Search suggestions", true);
    // The frame in which the switches are shown has been painted.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    assert.deepEqual(await page.evaluate(() => window.moved), []);
  }
});

test("what a change has changed is lit up for a moment, with the feature's name", async () => {
  const page = await openWithSwitches();
  assert.deepEqual(await page.evaluate(() => window.lights), [], "nothing changes while the page opens");
  await service.change("loyalty-points", { enabled: true });
  await seeAs(page, "bo");
  await shows(page, "loyalty-points", "on");
  await lit(page, "Loyalty points: on");
  await page.locator(".spotlight").first().waitFor({ state: "detached" });

  await service.change("loyalty-points", { enabled: false });
  await lit(page, "Loyalty points: off");
  await page.evaluate(() => {
    window.lights = [];
  });
  await service.change("loyalty-points", { enabled: true });
  const frame = await lit(page, "Loyalty points: on");
  const points = await page.locator(".points").evaluate((element) => element.getBoundingClientRect().toJSON());
  assert.ok(frame.left <= points.left && frame.top <= points.top && frame.bottom >= points.bottom, "around the points");
  assert.equal(await page.locator("[data-announcement]").textContent(), "Loyalty points: on");
  await page.locator(".spotlight").first().waitFor({ state: "detached" });
  assert.deepEqual(page.wrongs, []);
});

for (const reducedMotion of ["no-preference", "reduce"]) {
  test(`the page scrolls to what a switch in the panel has changed (motion: ${reducedMotion})`, async () => {
    await service.change("gift-cards", { enabled: false });
    const page = await openWithSwitches({ viewport: { width: 1280, height: 620 }, reducedMotion });
    const scrollUp = () => page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    await isSwitched(page, "Gift cards", false);
    await switchOf(page, "Gift cards").click();
    const { animationTimingFunction } = await lit(page, "Gift cards: on");
    assert.equal(/^(step-end|steps\(1\))$/.test(animationTimingFunction), reducedMotion === "reduce");
    const isInView = () => {
      const { top, bottom } = document.querySelector(".gift").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    };
    await page.waitForFunction(isInView);
    const top = await page.evaluate(() => document.querySelector(".gift").getBoundingClientRect().top + scrollY);

    await scrollUp();
    await isSwitched(page, "Gift cards", true);
    await switchOf(page, "Gift cards").click();
    await lit(page, "Gift cards: off");
    await page.waitForFunction((top) => top >= scrollY && top <= scrollY + innerHeight, top);

    await page.context().close();
  });
}

test("a change from elsewhere does not scroll the page", async () => {
  await service.change("gift-cards", { enabled: false });
  // With reduced motion, scrolling takes no time.
  const page = await openWithSwitches({ viewport: { width: 1280, height: 620 }, reducedMotion: "reduce" });
  await isSwitched(page, "Gift cards", false);
  await service.change("gift-cards", { enabled: true });
  await lit(page, "Gift cards: on");
  assert.equal(await page.evaluate(() => scrollY), 0);
});

test("a feature that is on for other users says for whom, and shows the shop as them", async () => {
  await service.change("reviews", { enabled: false });
  const page = await openWithSwitches();
  await isSwitched(page, "Reviews", false);
  await switchOf(page, "Reviews").click();
  await isSwitched(page, "Reviews", true);
  await note(page, "reviews").getByText("On, but not for Ada.").waitFor();
  await note(page, "reviews").getByRole("button", { name: "See it as Chen" }).click();
  await shows(page, "reviews", "on");
  await note(page, "reviews").getByText("Stars from other customers").waitFor();
  assert.equal(await page.getByRole("radio", { name: "Chen" }).isChecked(), true);
  assert.equal(await switchOf(page, "Reviews").evaluate((element) => element === document.activeElement), true);
  await service.change("reviews", { enabled: false });
});

test("a change that is refused or waits for approval says so beside its switch", async () => {
  const page = await openWithSwitches();
  await isSwitched(page, "Winter sale", false);
  await service.changeFeature("winter-sale", { approvalRequired: true });
  await switchOf(page, "Winter sale").click();
  await note(page, "winter-sale").getByText("Waits for approval in the administration.").waitFor();
  await isSwitched(page, "Winter sale", false);
  await switchOf(page, "Winter sale").click();
  await page.locator(".note[data-note=wrong]").getByText("approval").waitFor();
});

test("the token is a day's token of the production editor, outside all scripts, and replaces the one of the last start", async () => {
  const folder = join(service.folder, "pages", "shop");
  const tokens = async () =>
    (await service.as("productionEditor", "GET", "/tokens?limit=200")).items.filter(({ name }) =>
      name.startsWith("Panel"),
    );
  await service.letPanelSwitch();
  const [first, ...others] = await tokens();
  assert.deepEqual(others, []);
  const hours = (Date.parse(first.expiresAt) - Date.now()) / 3_600_000;
  assert.ok(hours > 23 && hours <= 24, `${hours} hours`);
  const page = await openWithSwitches();
  const [second, ...more] = await tokens();
  assert.deepEqual(more, []);
  assert.notEqual(second.id, first.id);

  const { token } = JSON.parse(await readFile(join(folder, "panel.json"), "utf8"));
  assert.equal((await stat(join(folder, "panel.json"))).mode & 0o777, 0o600);
  for (const name of await readdir(folder)) {
    if (name !== "panel.json") assert.equal((await readFile(join(folder, name), "utf8")).includes(token), false, name);
  }
  // A page that is open during a new start of the demo finds its new token.
  await service.letPanelSwitch();
  await isSwitched(page, "Search suggestions", true);
  await switchOf(page, "Search suggestions").click();
  await shows(page, "search-suggestions", "off");
  await service.change("search-suggestions", { enabled: true });
});

test("only an address that other machines cannot open gets a token", () => {
  for (const address of ["http://127.0.0.1:7300", "http://127.8.0.1:1", "http://localhost:7300", "http://[::1]:7300"]) {
    assert.equal(isLoopback(address), true, address);
  }
  for (const address of [
    "http://0.0.0.0:7300",
    "http://[::]:7300",
    "http://192.168.0.2:7300",
    "http://127.example:7300",
  ]) {
    assert.equal(isLoopback(address), false, address);
  }
});
