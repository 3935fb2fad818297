// Short messages: they cover no control, go by themselves, wait for who reads them, and are announced and reachable by keyboard.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, expectComplaint, startAdmin } from "../../support/admin/admin.mjs";
import { holdFrames } from "../../support/admin/frames.mjs";
import { createFeature, rule, targeting, targetingPath } from "../../support/admin/targetings.mjs";

const FEATURES = "/projects/shop/features";
/** Longer than a message is shown, without and with something to do. */
const SHORT_MS = 6_500;
const LONG_MS = 12_500;

describe("A message", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const message = (page, text) => page.locator(".toast").filter({ hasText: text });
  const switchOf = (page, key) => page.getByRole("switch", { name: `${key} in Staging`, exact: true });

  /** A feature that is on in staging, in the list on a page whose clock the test moves. */
  async function openList(key, options) {
    await createFeature(admin.service, key, { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", `${FEATURES}?search=${key}`, options);
    await switchOf(page, key).waitFor();
    await page.clock.install();
    return page;
  }

  /** Makes an error: someone else has changed the targeting. */
  async function collide(page, key) {
    for (const enabled of [false, true]) {
      await admin.service.as("editor", "PATCH", targetingPath(key, "staging"), { enabled });
    }
    await switchOf(page, key).press("Space");
    await message(page, "someone else has just changed it").waitFor();
    expectComplaint(page, /412/);
  }

  /** Leaves the targeting in staging with unsaved changes, for that in development, and makes changes there. */
  async function leaveDraft(page) {
    await page.getByLabel("Name of rule 1").fill("Not saved");
    await page.getByRole("link", { name: "Development" }).press("Enter");
    await message(page, "are not saved").waitFor();
    await page.getByLabel("Name of rule 1").fill("Neither");
    await page.getByRole("button", { name: "Discard" }).waitFor();
  }

  async function openDraft(key, options) {
    const path = await createFeature(admin.service, key, { targeting: targeting([rule("One")]) });
    await admin.service.as("editor", "PUT", targetingPath(key, "development"), targeting([rule("One")]));
    const page = await admin.as("editor", path, options);
    page.on("dialog", (dialog) => dialog.accept());
    return page;
  }

  for (const [width, height] of [
    [1440, 900],
    [1440, 500],
    [1024, 768],
    [390, 844],
  ]) {
    it(`covers no control at ${width} × ${height}, not even the bar with Discard and Save`, async () => {
      const page = await openDraft(`uncovered-${width}-${height}`, { width, height });
      await leaveDraft(page);
      assert.deepEqual(await controlsBelowMessages(page), []);
      await page.getByRole("button", { name: "Discard" }).click();
      assert.equal(await message(page, "are not saved").count(), 1, "The message was in nobody's way.");
      // Last, because on a busy machine it takes longer than a message is shown.
      await axeFindsNothing(page);
    });
  }

  it("of each kind covers no control in a list, even three at once", async () => {
    for (const width of [1440, 390]) {
      const key = `three-${width}`;
      const page = await openList(key, { width });
      await collide(page, key);
      for (const state of ["off", "on"]) {
        await switchOf(page, key).press("Space");
        await message(page, `${key} in Staging is ${state}.`).waitFor({ state: "attached" });
      }
      assert.deepEqual(await controlsBelowMessages(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }
  });

  it("about a change in a list does not wait for a frame", async () => {
    const page = await openList("frames");
    await holdFrames(page);
    await switchOf(page, "frames").press("Space");
    await message(page, "frames in Staging is off.").waitFor();
  });

  it("goes by itself, also an error and one with a link", async () => {
    const page = await openList("gone");
    await switchOf(page, "gone").press("Space");
    await message(page, "gone in Staging is off.").waitFor();
    await page.clock.fastForward(SHORT_MS);
    await message(page, "gone in Staging is off.").waitFor({ state: "detached" });

    await admin.service.as("editor", "PATCH", targetingPath("gone", "staging"), { enabled: true });
    await collide(page, "gone");
    await page.clock.fastForward(SHORT_MS);
    assert.equal(await message(page, "gone in Staging was not changed").count(), 1, "An error stays longer.");
    await page.clock.fastForward(LONG_MS - SHORT_MS);
    await message(page, "gone in Staging was not changed").waitFor({ state: "detached" });

    const draft = await openDraft("gone-draft");
    await draft.clock.install();
    await leaveDraft(draft);
    await draft.clock.fastForward(LONG_MS);
    await message(draft, "are not saved").waitFor({ state: "detached" });
  });

  it("with a link goes when its address is reached in another way", async () => {
    const page = await openDraft("reached");
    await leaveDraft(page);
    await page.goBack();
    await page.getByText("Your unsaved changes were restored").waitFor();
    await message(page, "reached in Staging are not saved").waitFor({ state: "detached" });
  });

  it("waits while the pointer is on it", async () => {
    const page = await openList("hovered");
    await switchOf(page, "hovered").press("Space");
    const shown = message(page, "hovered in Staging is off.");
    await shown.hover();
    await page.clock.fastForward(LONG_MS);
    assert.equal(await shown.count(), 1);
    await page.getByRole("heading", { level: 1 }).hover();
    await page.clock.fastForward(SHORT_MS);
    await shown.waitFor({ state: "detached" });
  });

  it("is announced, reached with F6, and waits while it has the focus, which returns afterwards", async () => {
    const page = await openList("focused");
    const control = switchOf(page, "focused");
    await control.press("Space");
    await page.getByRole("status").filter({ hasText: "focused in Staging is off." }).waitFor();
    await control.focus();
    await page.keyboard.press("F6");
    const dismiss = message(page, "focused in Staging is off.").getByRole("button", { name: "Dismiss" });
    const hasFocus = (locator) => locator.evaluate((one) => one === document.activeElement);
    assert.ok(await hasFocus(dismiss));
    await page.clock.fastForward(LONG_MS);
    await page.keyboard.press("F6");
    assert.ok(await hasFocus(control), "F6 leads back.");
    await page.keyboard.press("F6");
    await page.keyboard.press("Enter");
    await dismiss.waitFor({ state: "detached" });
    assert.ok(await hasFocus(control), "The focus is where it was.");
  });
});

/** The controls at points of the page that a message covers. */
function controlsBelowMessages(page) {
  return page.evaluate(() => {
    const STEP_PX = 6;
    const shown = [...document.querySelectorAll(".toast")].filter((one) => one.getClientRects().length > 0);
    if (shown.length === 0) return ["There is no message."];
    const points = shown.flatMap((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const found = [];
      for (let x = left + 1; x < right; x += STEP_PX) {
        for (let y = top + 1; y < bottom; y += STEP_PX) found.push([x, y]);
      }
      return found;
    });
    const covered = points.flatMap(([x, y]) => {
      const below = document.elementsFromPoint(x, y).filter((element) => !element.closest(".toasts"));
      // What is scrolled below the bar is covered anyway.
      const bar = below.findIndex((element) => element.matches(".bar"));
      return bar < 0 ? below : below.slice(0, bar);
    });
    const controls = covered.map((element) => element.closest("a, button, input, select, textarea, label"));
    return [...new Set(controls)].filter(Boolean).map(({ outerHTML }) => outerHTML.slice(0, 120));
  });
}
