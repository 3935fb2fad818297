// The values of a condition: lists, numbers, dates, and what is stored already, in rules and in audiences.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, openReview, rule, targeting } from "../../support/admin/targetings.mjs";

describe("The values of a condition", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const condition = (page) => page.getByRole("group", { name: "Condition 1 of rule 1" });
  const valuesField = (page) => condition(page).getByLabel("Values", { exact: true });
  const tags = (page) => condition(page).locator(".tag").allTextContents();

  /** Opens a feature with a rule with this condition as the editor. */
  async function open(key, attribute, operator, values, options) {
    const conditions = [{ attribute, operator, values }];
    const path = await createFeature(admin.service, key, {
      targeting: targeting([rule("Some", { on: 100 }, { conditions })]),
    });
    const page = await admin.as("editor", path, options);
    await condition(page).waitFor();
    return { page, stored: async () => (await admin.service.as("editor", "GET", path)).rules[0].conditions[0] };
  }

  async function save(page) {
    const review = await openReview(page);
    await review.getByRole("button", { name: "Save to Staging" }).click();
    await review.waitFor({ state: "detached" });
  }

  async function add(page, ...values) {
    for (const value of values) {
      await valuesField(page).fill(value);
      await page.keyboard.press("Enter");
    }
  }

  it("a list with a repeated text can be edited, and each of its values is removed alone", async () => {
    const { page, stored } = await open("repeated", "country", "in", ["SE", "NO", "SE"]);
    await add(page, "DK", "NO");
    assert.deepEqual(await tags(page), ["SE", "NO", "SE", "DK"]);
    await condition(page).getByRole("button", { name: "Remove SE" }).last().click();
    assert.deepEqual(await tags(page), ["SE", "NO", "DK"]);
    await axeFindsNothing(page);
    await save(page);
    assert.deepEqual((await stored()).values, ["SE", "NO", "DK"]);
  });

  it("a number and the same digits as text are two values, and each keeps its type", async () => {
    const { page, stored } = await open("two-types", "level", "in", ["18", 18, "20"]);
    await condition(page).getByRole("button", { name: "Remove 20" }).click();
    await save(page);
    assert.deepEqual((await stored()).values, ["18", 18]);
  });

  it("a number is added to a list as it will be stored, once", async () => {
    const { page, stored } = await open("as-stored", "flagservice.hourofday", "in", [8]);
    await add(page, "08", "9,0", "9");
    assert.deepEqual(await tags(page), ["8", "9"]);
    await save(page);
    assert.deepEqual((await stored()).values, [8, 9]);
  });

  it("a number of a list that cannot be read, or in two ways, is not saved", async () => {
    const { page, stored } = await open("numbers", "level", "notIn", [1]);
    for (const wrong of ["12 000", "1,000", "7%"]) {
      await add(page, wrong);
      await page.getByRole("button", { name: /^Review and/ }).click();
      await condition(page).getByText(`${wrong}: Enter a number, such as 18 or 2.5.`).waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
      await condition(page)
        .getByRole("button", { name: `Remove ${wrong}` })
        .click();
    }
    await add(page, "2,5", "12000");
    await axeFindsNothing(page);
    await save(page);
    assert.deepEqual((await stored()).values, [1, 2.5, 12_000]);
  });

  it("a boolean of a list is true or false", async () => {
    const { page, stored } = await open("booleans", "member", "in", [true]);
    await add(page, "no");
    await page.getByRole("button", { name: /^Review and/ }).click();
    await condition(page).getByText("no: Enter true or false.").waitFor();
    await condition(page).getByRole("button", { name: "Remove no" }).click();
    await add(page, "false");
    await save(page);
    assert.deepEqual((await stored()).values, [true, false]);
  });

  it("text that is stored among numbers stays text", async () => {
    const { page, stored } = await open("mixed", "level", "in", [1, "12 000", "1,000"]);
    await add(page, "2");
    await save(page);
    assert.deepEqual((await stored()).values, [1, "12 000", "1,000", 2]);
  });

  it("a stored date and time without an offset is in UTC, and in any other form it is shown as text", async () => {
    const zone = { timezoneId: "America/New_York" };
    const { page, stored } = await open("dates", "signedUp", "before", ["2026-11-21T10:00:00"], zone);
    const field = condition(page).getByLabel("Date and time");
    assert.equal(await field.inputValue(), "2026-11-21T05:00");
    await condition(page).getByText("In UTC: 2026-11-21 10:00").waitFor();
    await field.fill("2026-11-21T06:00");
    await save(page);
    assert.deepEqual((await stored()).values, ["2026-11-21T06:00:00-05:00"]);

    const basic = await open("basic-date", "signedUp", "before", ["20261121"], zone);
    const text = condition(basic.page).getByLabel("Date and time");
    assert.equal(await text.inputValue(), "20261121");
    await text.fill("");
    await text.fill("2026-11-21T06:00");
    await save(basic.page);
    assert.deepEqual((await basic.stored()).values, ["2026-11-21T06:00:00-05:00"]);
  });

  it("a time that the clocks skip is the one that they show instead", async () => {
    const zone = { timezoneId: "Europe/Stockholm" };
    const { page, stored } = await open("skipped", "signedUp", "before", ["2027-03-01"], zone);
    await condition(page).getByLabel("Date and time").fill("2027-03-28T02:30");
    await save(page);
    assert.deepEqual((await stored()).values, ["2027-03-28T03:30:00+02:00"]);
  });

  it("a stored attribute keeps the blanks around it, and a typed one has none", async () => {
    const { page, stored } = await open("blanks", "plan ", "equals", ["gold"]);
    await page.getByLabel("Name of rule 1").fill("Renamed");
    await save(page);
    assert.equal((await stored()).attribute, "plan ");
    await condition(page).getByRole("combobox", { name: "Attribute" }).fill(" tier ");
    await page.keyboard.press("Tab");
    await save(page);
    assert.equal((await stored()).attribute, "tier");
  });

  it("a stored empty text is no change, and stays", async () => {
    const { page, stored } = await open("empty-text", "mail", "contains", [""]);
    assert.equal(await page.getByRole("region", { name: "Unsaved changes" }).count(), 0);
    await page.getByRole("button", { name: "Evaluate" }).press("Enter");
    await page.getByText("Result: off").waitFor();
    await page.getByLabel("Name of rule 1").fill("Renamed");
    await save(page);
    assert.deepEqual((await stored()).values, [""]);
    // One that is typed is a value that is missing.
    await condition(page).getByRole("textbox", { name: "Text" }).fill("a");
    await condition(page).getByRole("textbox", { name: "Text" }).fill("");
    await page.getByRole("button", { name: /^Review and/ }).click();
    await condition(page).getByText("Enter a value.").waitFor();
  });

  it("an audience is not saved while one of its numbers cannot be read", async () => {
    const address = "/projects/shop/audiences";
    const orders = (operator, ...values) => ({ attribute: "orders", operator, values });
    const conditions = [orders("equals", 5), orders("in", 1)];
    await admin.service.as("administrator", "POST", address, { key: "numbers", name: "Numbers", conditions });
    const stored = async () => (await admin.service.as("editor", "GET", `${address}/numbers`)).conditions;
    const page = await admin.as("editor", `${address}/numbers`);
    const [single, list] = [1, 2].map((number) =>
      page.getByRole("group", { name: `Condition ${number}`, exact: true }),
    );
    await single.getByRole("textbox", { name: "Value" }).fill("1 000");
    await list.getByLabel("Values", { exact: true }).fill("1,000");
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await single.getByText("Enter a number, such as 18 or 2.5.").waitFor();
    await list.getByText("1,000: Enter a number, such as 18 or 2.5.").waitFor();
    await axeFindsNothing(page);
    assert.deepEqual(await stored(), conditions);
    await single.getByRole("textbox", { name: "Value" }).fill("1000");
    await list.getByRole("button", { name: "Remove 1,000" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await page.locator(".toasts").getByText(/saved/).waitFor();
    assert.deepEqual(await stored(), [orders("equals", 1000), orders("in", 1)]);
  });
});
