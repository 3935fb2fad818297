// The preview: a test user, evaluated with the unsaved draft, with an explanation.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import {
  createFeature,
  rule,
  ruleCard,
  selectOption,
  targeting,
  turnWithSave,
} from "../../support/admin/targetings.mjs";

const DANES = { conditions: [{ attribute: "country", operator: "equals", values: ["DK"] }] };

describe("The preview for a test user", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const preview = (page) => page.getByRole("region", { name: "Test a user" });

  async function enter(page, userId, attributes = {}) {
    await preview(page).getByLabel("User id").fill(userId);
    for (const [name, value] of Object.entries(attributes)) {
      await preview(page).getByRole("button", { name: "Add attribute" }).click();
      const row = preview(page).getByRole("group", { name: /^attribute/ });
      await row.getByLabel("Value").fill(value);
      await row.getByRole("combobox", { name: "Attribute" }).fill(name);
      await page.keyboard.press("Tab");
    }
    await preview(page).getByRole("button", { name: "Evaluate" }).press("Enter");
  }

  it("shows the variant, the rule and the bucket in the split, also for an unsaved draft", async () => {
    // The bucket of alice in f1 with salt 1 is 9: they are in the first 9%, but not in the first 8%.
    const path = await createFeature(admin.service, "f1", { targeting: targeting([rule("Some", { on: 8, off: 92 })]) });
    const page = await admin.as("readOnly", path);
    await enter(page, "alice");
    const answer = preview(page).getByRole("status", { name: "Result" });
    await answer.getByText("Result: off").waitFor();
    await answer.getByText("Rule 1, Some, is the first match.").waitFor();
    assert.match(
      await answer.getByText(/^Bucket/).textContent(),
      /^Bucket 8(\.\d+)? of 100 is in the range of off: 8 to below 100\.$/,
    );
    await axeFindsNothing(page);

    const editing = await admin.as("editor", path);
    const some = ruleCard(editing, "Rule 1, Some");
    await some.getByLabel("Percentage for on").fill("9");
    await some.getByLabel("Percentage for off").fill("91");
    await enter(editing, "alice");
    const drafted = preview(editing).getByRole("status", { name: "Result" });
    await drafted.getByText("Result: on").waitFor();
    assert.match(await drafted.getByText(/^Bucket/).textContent(), /: 0 to below 9\.$/);
    // Later edits are evaluated automatically.
    await some.getByLabel("Percentage for on").fill("8");
    await drafted.getByText("Fix the highlighted rules to run a preview").waitFor();
    await some.getByLabel("Percentage for off").fill("92");
    await drafted.getByText("Result: off").waitFor();
    assert.equal((await admin.service.as("editor", "GET", path)).rules[0].splits[0].percentage, 8);
  });

  it("does not evaluate a number that cannot be read as text", async () => {
    const adults = { conditions: [{ attribute: "age", operator: "greaterThan", values: [17] }] };
    const path = await createFeature(admin.service, "adults", {
      targeting: targeting([rule("Adults", { on: 100 }, adults)]),
    });
    const page = await admin.as("editor", path);
    await preview(page).getByRole("button", { name: "Add attribute" }).click();
    const row = preview(page).getByRole("group", { name: /^a/ });
    await row.getByRole("combobox", { name: "Attribute" }).fill("age");
    await page.keyboard.press("Tab");
    await selectOption(page, row.getByRole("button", { name: /Type$/ }), "Number");
    await row.getByLabel("Value").fill("1,800");
    await preview(page).getByRole("button", { name: "Evaluate" }).press("Enter");
    await row.getByText("Enter a number, such as 18 or 2.5.").waitFor();
    const answer = preview(page).getByRole("status", { name: "Result" });
    await answer.getByText("Fix the highlighted attributes to run a preview.").waitFor();
    await axeFindsNothing(page);
    await row.getByLabel("Value").fill("18");
    await preview(page).getByRole("button", { name: "Evaluate" }).press("Enter");
    await answer.getByText("Result: on").waitFor();
  });

  it("evaluates again on request, although nothing on the page has changed", async () => {
    const { service } = admin;
    const audience = "/projects/shop/audiences/testers";
    const country = (value) => ({ conditions: [{ attribute: "country", operator: "equals", values: [value] }] });
    await service.as("administrator", "POST", "/projects/shop/audiences", {
      ...{ key: "testers", name: "Testers" },
      ...country("DK"),
    });
    const path = await createFeature(service, "again", {
      targeting: targeting([rule("Testers", { on: 100 }, { audienceKey: "testers" })]),
    });
    const page = await admin.as("editor", path);
    await enter(page, "bob", { country: "DK" });
    const answer = preview(page).getByRole("status", { name: "Result" });
    await answer.getByText("Result: on").waitFor();
    await service.as("administrator", "PATCH", audience, country("SE"));
    await preview(page).getByRole("button", { name: "Evaluate" }).press("Enter");
    await answer.getByText("Result: off").waitFor();
  });

  it("shows which conditions match, for all rules", async () => {
    const later = { conditions: [{ attribute: "flagservice.date", operator: "after", values: ["2027-01-01"] }] };
    const path = await createFeature(admin.service, "reasons", {
      targeting: targeting([
        rule("Danes", { on: 100 }, DANES),
        rule("Later", { on: 100 }, later),
        rule("Rest", { off: 100 }),
      ]),
    });
    const page = await admin.as("editor", path);
    await enter(page, "bob", { country: "SE" });
    const answer = preview(page).getByRole("status", { name: "Result" });
    await answer.getByText("Rule 3, Rest, is the first match.").waitFor();
    const rules = answer.getByRole("list", { name: "Rules" });
    await rules.getByText('country equals "DK" does not match').waitFor();
    // At another time another rule matches.
    await preview(page).getByLabel("Evaluate at").fill("2027-02-01T12:00");
    await answer.getByText("Rule 2, Later, is the first match.").waitFor();
    await rules.getByText('flagservice.date is after "2027-01-01" matches').waitFor();
    await rules.getByText("not reached").waitFor();
    await turnWithSave(page, "off").press("Space");
    await answer.getByText("Targeting is off: everyone gets the off variant.").waitFor();
    await axeFindsNothing(page);
  });
});
