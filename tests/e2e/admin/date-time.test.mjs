// Fields for a date and a time, with the keys that people press. The browser is in Berlin, and writes 06/15/2030, 06:30 PM.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, openReview, rule, targeting } from "../../support/admin/targetings.mjs";

const BERLIN = { timezoneId: "Europe/Berlin" };
const RULES = { targeting: targeting([rule("All")]) };

describe("A field for a date and a time", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  async function press(page, ...keys) {
    for (const key of keys.flatMap((part) => (part.length > 2 ? [part] : [...part]))) await page.keyboard.press(key);
  }

  async function preview(key) {
    const page = await admin.as("editor", await createFeature(admin.service, key, RULES), BERLIN);
    const region = page.getByRole("region", { name: "Test a user" });
    const field = region.getByLabel("Evaluate at");
    await field.focus();
    return { page, region, field };
  }

  /** The field of the review, with the focus. */
  async function review(key) {
    const page = await admin.as("editor", await createFeature(admin.service, key, RULES), BERLIN);
    await page.getByRole("button", { name: "Add rule" }).click();
    const dialog = await openReview(page);
    await dialog.getByText("At a time").click();
    const field = dialog.getByLabel("Date and time");
    await field.focus();
    return { page, dialog, field };
  }

  it("takes what is typed, also the digits of a year, and shows it in UTC", async () => {
    const { page, region, field } = await preview("typed-keys");
    await press(page, "06", "15", "20", "30", "Tab", "06", "30", "P");
    assert.equal(await field.inputValue(), "2030-06-15T18:30");
    // Summer time is two hours ahead of UTC.
    await region.getByText("In UTC: 2030-06-15 16:30").waitFor();
    // Its year, again.
    await press(page, "Shift+Tab", "Shift+Tab", "Shift+Tab", "20", "31");
    assert.equal(await field.inputValue(), "2031-06-15T18:30");
    await region.getByText("In UTC: 2031-06-15 16:30").waitFor();
  });

  it("takes the time an hour later where the clocks skip it in spring", async () => {
    const { page, region, field } = await preview("skipped-hour");
    await press(page, "03", "28", "20", "27", "Tab", "02", "30", "A");
    await region.getByText("In UTC: 2027-03-28 01:30").waitFor();
    await region.getByLabel("User id").focus();
    assert.equal(await field.inputValue(), "2027-03-28T03:30");
  });

  it("says what is missing, and nothing is evaluated until it is entered", async () => {
    const { page, region, field } = await preview("no-time");
    const error = region.getByText("Enter both the date and the time.");
    await press(page, "06", "15", "20", "30");
    await region.getByRole("button", { name: "Evaluate" }).click();
    await error.waitFor();
    await axeFindsNothing(page);
    assert.equal(await region.getByText(/^Result:/).count(), 0);
    await field.focus();
    await press(page, "Tab", "Tab", "Tab", "06", "30", "P");
    await error.waitFor({ state: "detached" });
    await press(page, "Enter");
    await region.getByText("Result: on").waitFor();

    await press(page, "Backspace", "Enter");
    await error.waitFor();
    await press(page, "A", "Shift+Tab", "Shift+Tab", "Shift+Tab", "03", "Enter");
    await region.getByText("Enter the year with four digits.").waitFor();
  });

  it("is passed part by part with Tab in a dialog, in both directions, which the focus does not leave", async () => {
    const { page, dialog, field } = await review("tab-parts");
    const hasFocus = (one) => one.evaluate((element) => element === document.activeElement);
    await press(page, "06", "15", "20", "30", "Tab", "06", "30", "P");
    assert.equal(await field.inputValue(), "2030-06-15T18:30");
    await dialog.getByText("In UTC: 2030-06-15 16:30").waitFor();
    // Behind it is the button that opens the calendar.
    await press(page, "Tab", "Tab");
    assert.ok(await hasFocus(dialog.getByLabel("Comment")));
    await press(page, "Shift+Tab", "Shift+Tab");
    assert.ok(await hasFocus(field));
    await press(page, "A");
    assert.equal(await field.inputValue(), "2030-06-15T06:30");

    const names = new Set();
    for (let tabs = 0; tabs < 30; tabs++) {
      await press(page, "Tab");
      assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)));
      names.add(await page.evaluate(() => document.activeElement.textContent));
    }
    assert.ok(names.has("Schedule for Staging"));
  });
});
