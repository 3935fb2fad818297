// Rules below one that serves everyone: the editor and the review say that no user ever reaches them.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, openReview, rule, ruleCard, targeting } from "../../support/admin/targetings.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const SWEDES = { conditions: [{ attribute: "country", operator: "equals", values: ["SE"] }] };
const FIRST = "Never reached: rule 1 serves everyone.";
const warnings = (page) => page.getByRole("region", { name: "Rules", exact: true }).getByText("Never reached:");

test("a rule that is added below one for everyone says at once that it is never reached, and so does the review", async () => {
  const path = await createFeature(service, "below", { targeting: targeting([rule("Everybody")]) });
  const page = await admin.as("editor", path);
  assert.equal(await warnings(page).count(), 0);
  await page.getByRole("button", { name: "Add rule" }).press("Enter");
  await ruleCard(page, "Rule 2").getByText(FIRST).waitFor();
  await page.getByLabel("Name of rule 2").fill("Beta users");
  await page.getByRole("button", { name: "Add rule" }).press("Enter");
  await ruleCard(page, "Rule 3").getByText(FIRST).waitFor();
  assert.equal(await warnings(page).count(), 2);
  await page.getByRole("button", { name: "Collapse rule 3" }).press("Enter");
  await ruleCard(page, "Rule 3").getByText(FIRST).waitFor();
  await axeFindsNothing(page);

  const review = await openReview(page);
  await review.getByText("Never reached: rule 2, Beta users; rule 3. Rule 1 serves everyone.").waitFor();
  await axeFindsNothing(page);
});

test("rules above the one for everyone are reached, whatever order they are moved into", async () => {
  const path = await createFeature(service, "moved", {
    targeting: targeting([rule("Swedes", { on: 100 }, SWEDES), rule("Everybody", { off: 100 })]),
  });
  const page = await admin.as("editor", path);
  await ruleCard(page, "Rule 2, Everybody").waitFor();
  assert.equal(await warnings(page).count(), 0);
  await page.getByRole("button", { name: "Move rule 2, Everybody up" }).press("Enter");
  await ruleCard(page, "Rule 2, Swedes").getByText(FIRST).waitFor();
  assert.equal(await warnings(page).count(), 1);
  await page.getByRole("button", { name: "Move rule 2, Swedes up" }).press("Enter");
  await warnings(page).waitFor({ state: "detached" });
});

test("a rule for a saved audience is not for everyone", async () => {
  await service.as("administrator", "POST", "/projects/shop/audiences", { key: "swedes", name: "Swedes", ...SWEDES });
  const path = await createFeature(service, "for-audience", {
    targeting: targeting([rule("Saved", { on: 100 }, { audienceKey: "swedes" }), rule("Rest", { off: 100 })]),
  });
  const page = await admin.as("editor", path);
  await ruleCard(page, "Rule 2, Rest").waitFor();
  assert.equal(await warnings(page).count(), 0);
});
