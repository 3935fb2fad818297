// Who would get what: a user entered on the page, evaluated with the draft as it stands, with the explanation.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import { ask, card, newFeature, rule, targeting } from "../../support/admin/targetings.mjs";

const DANES = { conditions: [{ attribute: "country", operator: "equals", values: ["DK"] }] };

describe("Preview of who would get what", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const preview = (page) => page.getByRole("region", { name: "Who would get what" });

  async function enter(page, userId, attributes = {}) {
    await preview(page).getByLabel("User id").fill(userId);
    for (const [name, value] of Object.entries(attributes)) {
      await preview(page).getByRole("button", { name: "Add an attribute" }).click();
      const row = preview(page).getByRole("group", { name: /^attribute/ });
      await row.getByLabel("Value").fill(value);
      await row.getByRole("combobox", { name: "Attribute" }).fill(name);
      await page.keyboard.press("Tab");
    }
    await preview(page).getByRole("button", { name: "Show what they get" }).press("Enter");
  }

  it("shows the variant, the rule, and where in the split the bucket is; the draft counts before it is saved", async () => {
    // The bucket of alice in f1 with salt 1 is 9: she is among the first nine percent, and not among the first eight.
    const path = await newFeature(admin.service, "f1", { targeting: targeting([rule("Some", { on: 8, off: 92 })]) });
    const page = await admin.as("readOnly", path);
    await enter(page, "alice");
    const answer = preview(page).getByRole("status", { name: "Preview" });
    await answer.getByText("They get off").waitFor();
    await answer.getByText("Rule 1, Some, is the first that matches.").waitFor();
    assert.match(await answer.getByText(/^Bucket/).textContent(), /^Bucket 8(\.\d+)? of 100 .* from 8 to below 100\.$/);
    await axeFindsNothing(page);

    const editing = await admin.as("editor", path);
    const some = card(editing, "Rule 1, Some");
    await some.getByLabel("Percentage of on").fill("9");
    await some.getByLabel("Percentage of off").fill("91");
    await enter(editing, "alice");
    const drafted = preview(editing).getByRole("status", { name: "Preview" });
    await drafted.getByText("They get on").waitFor();
    assert.match(await drafted.getByText(/^Bucket/).textContent(), /from 0 to below 9\.$/);
    // What is edited afterwards is evaluated by itself.
    await some.getByLabel("Percentage of on").fill("8");
    await drafted.getByText("Mend what is marked in the rules").waitFor();
    await some.getByLabel("Percentage of off").fill("92");
    await drafted.getByText("They get off").waitFor();
    assert.equal((await ask(admin.service, "editor", "GET", path)).rules[0].splits[0].percentage, 8);
  });

  it("tells which conditions held, of the first rule that matches and of those it does not reach", async () => {
    const later = { conditions: [{ attribute: "flagservice.date", operator: "after", values: ["2027-01-01"] }] };
    const path = await newFeature(admin.service, "reasons", {
      targeting: targeting([
        rule("Danes", { on: 100 }, DANES),
        rule("Later", { on: 100 }, later),
        rule("Rest", { off: 100 }),
      ]),
    });
    const page = await admin.as("editor", path);
    await enter(page, "bob", { country: "SE" });
    const answer = preview(page).getByRole("status", { name: "Preview" });
    await answer.getByText("Rule 3, Rest, is the first that matches.").waitFor();
    const rules = answer.getByRole("list", { name: "Rules" });
    await rules.getByText("country equals “DK” does not hold").waitFor();
    // At another time another rule matches.
    await preview(page).getByLabel("At (empty: now)").fill("2027-02-01T12:00");
    await answer.getByText("Rule 2, Later, is the first that matches.").waitFor();
    await rules.getByText("flagservice.date is after “2027-01-01” holds").waitFor();
    await rules.getByText("not reached").waitFor();
    await page.getByRole("switch", { name: "Targeting is on" }).press("Space");
    await answer.getByText("Targeting is off: everyone gets the off variant.").waitFor();
    await axeFindsNothing(page);
  });
});
