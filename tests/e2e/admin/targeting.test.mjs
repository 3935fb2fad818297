// The targeting page, which annotations link to: the editor, and the review before saving.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import {
  createFeature,
  expectStatus,
  openReview,
  rule,
  ruleCard,
  ruleNames,
  selectOption,
  targeting,
  targetingPath,
  turnWithSave,
} from "../../support/admin/targetings.mjs";

describe("The targeting of a feature in an environment", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const read = (path) => admin.service.as("administrator", "GET", path);

  for (const [role, environment, notice] of [
    ["administrator", "production", undefined],
    ["productionEditor", "production", undefined],
    ["editor", "staging", undefined],
    [
      "editor",
      "production",
      "Changing Production requires the production editor role. Your role (Editor) can only view and test it.",
    ],
    [
      "readOnly",
      "staging",
      "Changing targeting requires the editor role. Your role (Read-only) can only view and test it.",
    ],
  ]) {
    it(`the link to the feature's targeting page for that environment opens it, for ${role} in ${environment}`, async () => {
      const page = await admin.as(role, targetingPath("loyalty-points", environment));
      await page.getByRole("heading", { level: 1, name: "Loyalty points" }).waitFor();
      const links = page.getByRole("navigation", { name: "Feature environments" });
      assert.match(await links.locator("[aria-current=page]").textContent(), new RegExp(environment, "i"));
      await page
        .getByRole("region", { name: "Rules" })
        .getByRole("img", { name: /^on (10|50)%/ })
        .waitFor();
      const control = page.getByRole("switch", { name: new RegExp(` in ${environment}$`, "i") });
      assert.equal(await control.isDisabled(), notice !== undefined);
      if (notice) await page.getByRole("status").filter({ hasText: notice }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Add rule" }).count(), notice ? 0 : 1);
      await page.getByRole("button", { name: "Evaluate" }).waitFor();
      await axeFindsNothing(page);
    });
  }

  it("rules can be reordered by mouse", async () => {
    const path = await createFeature(admin.service, "by-mouse", {
      targeting: targeting([rule("A"), rule("B"), rule("C")]),
    });
    const page = await admin.as("editor", path, { height: 1600 });
    const grip = page.getByRole("button", { name: /^Move rule 3, C: drag/ });
    const target = await ruleCard(page, "Rule 1, A").boundingBox();
    await grip.hover();
    await page.mouse.down();
    await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 4 });
    await page.mouse.move(target.x + 40, target.y + 8, { steps: 4 });
    await page.mouse.up();
    assert.deepEqual(await ruleNames(page), ["C", "A", "B"]);
    const dialog = await openReview(page);
    await dialog.getByText('Rule 3 "C" moved from position 3 to 1').waitFor();
    await dialog.getByRole("button", { name: "Save to Staging" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(
      (await read(path)).rules.map(({ name }) => name),
      ["C", "A", "B"],
    );
  });

  it("rules can be reordered by keyboard, and each move is announced", async () => {
    const path = await createFeature(admin.service, "by-keyboard", {
      targeting: targeting([rule("A"), rule("B"), rule("C")]),
    });
    const page = await admin.as("editor", path);
    await page.getByRole("button", { name: /^Move rule 1, A: drag/ }).focus();
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await ruleNames(page), ["B", "A", "C"]);
    await page.getByRole("status").filter({ hasText: "Moved rule 1, A to position 2 of 3." }).waitFor();
    // The handle keeps the focus, so the next key moves the rule again.
    await page.keyboard.press("End");
    assert.deepEqual(await ruleNames(page), ["B", "C", "A"]);
    await page.getByRole("button", { name: "Move rule 3, A up" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.deepEqual(await ruleNames(page), ["A", "B", "C"]);
    assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Move rule 1, A/);
  });

  it("a rule is added, named, given an audience and a split, saved and removed with the keyboard only", async () => {
    const path = await createFeature(admin.service, "all-keys");
    const page = await admin.as("editor", path);
    await page.getByRole("button", { name: "Add rule" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name of rule 1").focus();
    await page.keyboard.type("Northerners");
    const added = ruleCard(page, "Rule 1, Northerners");
    await added.getByRole("button", { name: /If user is in$/ }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Nordic");
    await page.keyboard.press("Enter");
    await added.getByRole("button", { name: "Add variant" }).focus();
    await page.keyboard.press("Enter");
    await added.getByLabel("Percentage for on").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("12.5");
    await added.getByRole("button", { name: "Distribute remainder" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Review and/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Save to Staging" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const saved = rule("Northerners", { on: 12.5, off: 87.5 }, { audienceKey: "nordics" });
    assert.deepEqual((await read(path)).rules, [saved]);
    await page.getByRole("button", { name: "Remove rule 1, Northerners" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("No rules: everyone gets the off variant.").waitFor();
  });

  it("conditions have inputs that fit their operator", async () => {
    const path = await createFeature(admin.service, "inputs", { targeting: targeting([rule("Some")]) });
    const page = await admin.as("editor", path);
    const some = ruleCard(page, "Rule 1, Some");
    await selectOption(page, some.getByRole("button", { name: /If user is in$/ }), /Users matching conditions/);
    const condition = (number) => some.getByRole("group", { name: `Condition ${number} of rule 1` });
    const add = async (number, attribute, operator) => {
      if (number > 1) await some.getByRole("button", { name: "Add condition" }).click();
      const group = condition(number);
      await group.getByRole("combobox", { name: "Attribute" }).fill(attribute);
      await page.keyboard.press("Tab");
      if (operator) await selectOption(page, group.getByRole("button", { name: /Operator$/ }), operator);
      return group;
    };
    const list = await add(1, "country", "is one of");
    for (const value of ["DK", "SE"]) {
      await list.getByLabel("Values", { exact: true }).fill(value);
      await page.keyboard.press("Enter");
    }
    const age = await add(2, "age", "is at least");
    await age.getByLabel("Number").fill("18.5");
    const date = await add(3, "flagservice.date");
    await date.getByRole("button", { name: /Operator$/ }).click();
    assert.deepEqual(await page.getByRole("option").allInnerTexts(), ["is before", "is after"]);
    await page.getByRole("option", { name: "is after" }).click();
    await date.getByLabel("Date and time").fill("2026-12-01T08:30");
    const hour = await add(4, "flagservice.hourofday");
    await hour.getByRole("button", { name: /Operator$/ }).click();
    const equality = ["equals", "is one of", "is not one of"];
    const numeric = [...equality, "is greater than", "is at least", "is less than", "is at most"];
    assert.deepEqual(await page.getByRole("option").allInnerTexts(), numeric);
    await page.getByRole("option", { name: "is less than" }).click();
    await hour.getByLabel("Number").fill("9");
    const member = await add(5, "member", /^equals$/);
    await selectOption(page, member.getByRole("button", { name: /Type$/ }), "Boolean");
    const dialog = await openReview(page);
    await dialog.getByRole("button", { name: "Save to Staging" }).click();
    await dialog.waitFor({ state: "detached" });
    const { conditions } = (await read(path)).rules[0];
    const [, , after] = conditions;
    assert.equal(Date.parse(after.values[0]), await page.evaluate(() => new Date("2026-12-01T08:30").getTime()));
    assert.deepEqual(conditions.toSpliced(2, 1), [
      { attribute: "country", operator: "in", values: ["DK", "SE"] },
      { attribute: "age", operator: "greaterThanOrEqual", values: [18.5] },
      { attribute: "flagservice.hourofday", operator: "lessThan", values: [9] },
      { attribute: "member", operator: "equals", values: [true] },
    ]);
  });

  it("split percentages add up to 100% in steps of 0.001, shown as a bar", async () => {
    const path = await createFeature(admin.service, "thirds", {
      variants: ["off", "one", "two", "three"],
      targeting: targeting([rule("Shares", { one: 100 })]),
    });
    const page = await admin.as("editor", path);
    const shares = ruleCard(page, "Rule 1, Shares");
    const bar = shares.getByRole("img");
    await shares.getByRole("button", { name: "Add variant" }).click();
    await shares.getByLabel("Percentage for one").fill("33.333");
    assert.equal(await bar.getAttribute("aria-label"), "one 33.333%, off 0%, 66.667% unallocated");
    await shares.getByRole("status").filter({ hasText: "66.667% left to allocate" }).waitFor();
    await shares.getByRole("button", { name: "Distribute remainder" }).click();
    assert.equal(await bar.getAttribute("aria-label"), "one 33.333%, off 66.667%");
    await shares.getByRole("button", { name: "Add variant" }).click();
    await shares.getByRole("button", { name: "Split evenly" }).click();
    assert.equal(await bar.getAttribute("aria-label"), "one 33.334%, off 33.333%, two 33.333%");
    await shares.getByLabel("Percentage for two").fill("50");
    await shares.getByRole("status").filter({ hasText: "16.667% over-allocated" }).waitFor();
    await page.getByRole("button", { name: /^Review and/ }).click();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await shares.getByLabel("Percentage for two").fill("33.3333");
    await page.getByRole("button", { name: /^Review and/ }).click();
    await shares.getByText("Enter 0 to 100, with up to 3 decimals.").waitFor();
    await shares.getByLabel("Percentage for two").fill("33,333");
    const dialog = await openReview(page);
    await dialog.getByText("one 100% → 33.334%").waitFor();
  });

  it("on without rules says what is served, and offers to serve a variant to everyone", async () => {
    const path = await createFeature(admin.service, "on-without-rules");
    const page = await admin.as("editor", path);
    await page.getByText("No rules: everyone gets the off variant.").waitFor();
    await turnWithSave(page, "on").press("Space");
    await page.getByText("Targeting is on without rules: everyone gets off.").waitFor();
    await axeFindsNothing(page);
    await page.getByRole("button", { name: "Serve on to everyone" }).press("Enter");
    const dialog = await openReview(page);
    await dialog.getByRole("button", { name: "Save to Staging" }).press("Enter");
    await page.getByText("on-without-rules in Staging was saved.").waitFor();
    const { enabled, rules } = await read(path);
    assert.deepEqual([enabled, rules.map(({ splits }) => splits)], [true, [[{ variantKey: "on", percentage: 100 }]]]);
  });

  it("before saving the page shows a diff, takes a comment, and confirms production", async () => {
    const path = await createFeature(admin.service, "rollout", {
      environment: "production",
      targeting: targeting([rule("A tenth", { on: 10, off: 90 }), rule("Old")], { enabled: false }),
    });
    const page = await admin.as("productionEditor", path);
    await turnWithSave(page, "on").press("Space");
    await selectOption(page, page.getByRole("button", { name: /Off variant$/ }), "on");
    const tenth = ruleCard(page, "Rule 1, A tenth");
    await tenth.getByLabel("Percentage for on").fill("50");
    await tenth.getByLabel("Percentage for off").fill("50");
    await page.getByRole("button", { name: "Remove rule 2, Old" }).click();
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByLabel("Name of rule 2").fill("New");
    const dialog = await openReview(page);
    await dialog.getByRole("heading", { name: "Save to production?" }).waitFor();
    await dialog.getByText("get this immediately").waitFor();
    const changes = dialog.getByRole("list", { name: "Changes" });
    assert.deepEqual(await changes.locator(":scope > li > div, :scope > li li").allTextContents(), [
      ...["Targeting turned on", "Off variant off → on"],
      ...['Rule 1 "A tenth" editedon 10% → 50%off 90% → 50%', "on 10% → 50%", "off 90% → 50%"],
      'Rule 2 "Old" removed',
      ...['Rule 2 "New" addedfor everyoneoff 100%', "for everyone", "off 100%"],
    ]);
    await dialog.getByText("on 50%", { exact: true }).waitFor();
    await axeFindsNothing(page);
    assert.equal((await read(path)).enabled, false);
    await dialog.getByLabel("Comment").fill("Half of them, for the weekend.");
    await dialog.getByRole("button", { name: "Save to Production" }).click();
    await page.getByText("rollout in Production was saved.").waitFor();
    const { version, served, ...saved } = await read(path);
    const rules = [
      rule("A tenth", { on: 50, off: 50 }, { conditions: [] }),
      rule("New", { off: 100 }, { conditions: [] }),
    ];
    assert.deepEqual(saved, targeting(rules, { offVariantKey: "on" }));
    assert.ok(version > 0);
    assert.equal(served.summary, "off 50%");
    const history = page.getByRole("region", { name: "History" }).getByRole("listitem").first();
    await history.getByText("Half of them, for the weekend.").waitFor();
    await history.getByText("Pablo Reyes").first().waitFor();
    await history.getByText('Rule 1 "A tenth" edited').waitFor();
    assert.equal(await history.locator("time").count(), 1);
    await history.getByText("Before and after").press("Enter");
    await history.getByText("on 10%", { exact: true }).waitFor();
  });

  for (const [gate, feature, environment] of [
    ["environment", "loyalty-points", "production-eu"],
    ["feature", "subscription-plans", "development"],
    ["pipeline phase", "price-guarantee", "production"],
  ]) {
    it(`a change becomes a request when the ${gate} requires approval, and the page links to it`, async () => {
      const path = targetingPath(feature, environment);
      const before = await read(path);
      const page = await admin.as("productionEditor", path);
      await page.getByRole("main").getByText("Approval required", { exact: true }).last().waitFor();
      await turnWithSave(page, before.enabled ? "off" : "on").press("Space");
      const dialog = await openReview(page);
      await dialog.getByText("Approval is required by").waitFor();
      await dialog.getByLabel("Comment").fill("May we?");
      await dialog.getByRole("button", { name: "Request approval" }).click();
      await page.getByText("Nothing has changed yet.").waitFor();
      const links = page.getByRole("link", { name: "View request" });
      await links.nth(1).waitFor();
      const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      assert.deepEqual(await read(path), before);
      const [{ id }] = (
        await read(`/projects/shop/approvals?state=pending&featureKey=${feature}&environmentKey=${environment}`)
      ).items;
      for (const address of addresses) assert.equal(address, `/projects/shop/approvals/${id}`);
      await page.getByText("A change by Pablo Reyes is pending approval.").waitFor();
      // Another change can be prepared, but not saved until that one is decided.
      await turnWithSave(page, before.enabled ? "off" : "on").press("Space");
      await page.getByText("You can save once it is decided.").waitFor();
      assert.ok(await page.getByRole("button", { name: /^Review and/ }).isDisabled());
      await axeFindsNothing(page);
    });
  }

  it("the server's errors appear at their fields", async () => {
    const path = await createFeature(admin.service, "patterns", {
      targeting: targeting([rule("First"), rule("Second")]),
    });
    const page = await admin.as("editor", path);
    const second = ruleCard(page, "Rule 2, Second");
    await selectOption(page, second.getByRole("button", { name: /If user is in$/ }), /Users matching conditions/);
    await second.getByRole("combobox", { name: "Attribute" }).fill("email");
    await page.keyboard.press("Tab");
    await selectOption(page, second.getByRole("button", { name: /Operator$/ }), "matches");
    const pattern = second.getByLabel("Regular expression");
    await pattern.fill("(");
    const dialog = await openReview(page);
    // By keyboard, because the mouse would stay where it opens a tooltip.
    await dialog.getByRole("button", { name: "Save to Staging" }).press("Enter");
    await second.getByText("invalid regular expression: unclosed group").waitFor();
    assert.equal(await dialog.count(), 0);
    assert.ok(await pattern.evaluate((field) => field === document.activeElement));
    assert.equal(await pattern.getAttribute("aria-invalid"), "true");
    expectStatus(page, 422);
    await axeFindsNothing(page);
    await pattern.fill("@acme\\.example$");
    await (await openReview(page)).getByRole("button", { name: "Save to Staging" }).click();
    await page.getByText("patterns in Staging was saved.").waitFor();
  });

  it("names with <script>, quotes and right-to-left marks are shown as text", async () => {
    const name = `<script>alert("1")</script> '\u202Eright\u202C`;
    const path = await createFeature(admin.service, "names", {
      name,
      targeting: targeting([rule(name), rule("Last")]),
    });
    const page = await admin.as("editor", path);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    assert.deepEqual(await ruleNames(page), [name, "Last"]);
    await page.getByRole("button", { name: /^Remove rule 1,/ }).click();
    const dialog = await openReview(page);
    assert.ok((await dialog.getByRole("list", { name: "Changes" }).textContent()).includes(name));
    assert.equal(await dialog.locator("bdi", { hasText: "right" }).count(), 1);
    assert.equal(await page.locator("script", { hasText: "alert" }).count(), 0);
  });

  it("works with 300 rules at 360 px, and nothing moves while it loads", async () => {
    const rules = Array.from({ length: 300 }, (_, index) => rule(`Rule of ${index}`, { on: 50, off: 50 }));
    const path = await createFeature(admin.service, "many-rules", { targeting: targeting(rules) });
    const page = await admin.as("editor", path, { width: 360, height: 740 });
    await page.getByLabel("Name of rule 300").waitFor();
    await nothingMoved(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.getByRole("button", { name: "Move rule 1, Rule of 0 down" }).press("Enter");
    await page.getByRole("status").filter({ hasText: "Moved rule 1, Rule of 0 to position 2 of 300." }).waitFor();
    assert.equal(await page.getByLabel("Name of rule 1", { exact: true }).inputValue(), "Rule of 1");
    await page.getByText("1 unsaved change", { exact: true }).waitFor();
  });

  it("an archived feature cannot be changed, and an unknown address shows that it is not found", async () => {
    const page = await admin.as("administrator", targetingPath("old-basket", "production"));
    await page.getByText("This feature is archived").waitFor();
    assert.equal(await page.getByRole("switch", { name: "Off in Production" }).isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Add rule" }).count(), 0);
    await page.goto(targetingPath("no-such-feature", "production"));
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    page.wrongs.splice(0);
  });

  it("break-glass: a production editor switches off without approval, with a reason that the page shows", async () => {
    const more = { targeting: targeting([rule("All")]), environment: "production" };
    const path = await createFeature(admin.service, "glass", more);
    await admin.service.as("administrator", "PATCH", "/projects/shop/features/glass", { approvalRequired: true });
    const editor = await admin.as("editor", path);
    await editor.getByText("requires the production editor role").waitFor();
    assert.equal(await editor.getByRole("button", { name: "Switch off now…" }).count(), 0);

    const page = await admin.as("productionEditor", path);
    await page.getByRole("button", { name: "Switch off now…" }).press("Enter");
    const dialog = page.getByRole("alertdialog", { name: "Switch off in Production without approval?" });
    assert.equal(await dialog.getByRole("button", { name: "Switch off now" }).isDisabled(), true);
    await dialog.getByLabel("Reason").fill("Payments fail: incident 42");
    await axeFindsNothing(page);
    await dialog.getByRole("button", { name: "Switch off now" }).press("Enter");
    const banner = page.locator(".banner-bad", { hasText: "switched targeting off without approval (break-glass)" });
    await banner.getByText("Payments fail: incident 42").waitFor();
    assert.equal((await admin.service.as("readOnly", "GET", path)).enabled, false);
    assert.equal(await page.getByRole("button", { name: "Switch off now…" }).count(), 0);
    await axeFindsNothing(page);
  });
});
