// A feature in an environment, the page that annotations link to: the editor, and what is shown before it is saved.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import {
  ask,
  card,
  choose,
  expectStatus,
  newFeature,
  order,
  place,
  review,
  rule,
  targeting,
} from "../../support/admin/targetings.mjs";

describe("A feature in an environment", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const read = (path) => ask(admin.service, "administrator", "GET", path);

  for (const [role, environment, says] of [
    ["administrator", "production", undefined],
    ["productionEditor", "production", undefined],
    ["editor", "staging", undefined],
    ["editor", "production", "Changing Production takes a production editor."],
    ["readOnly", "staging", "You are signed in as Read-only: you can look, and preview."],
  ]) {
    it(`the link to the feature's targeting page for that environment opens it, for ${role} in ${environment}`, async () => {
      const page = await admin.as(role, place("loyalty-points", environment));
      await page.getByRole("heading", { level: 1, name: "Loyalty points" }).waitFor();
      const links = page.getByRole("navigation", { name: "Environments of this feature" });
      assert.match(await links.locator("[aria-current=page]").textContent(), new RegExp(environment, "i"));
      await page
        .getByRole("region", { name: "Rules" })
        .getByRole("img", { name: /^on (10|50) %/ })
        .waitFor();
      const editable = await page.getByRole("switch", { name: /Targeting is/ }).count();
      assert.equal(editable, says ? 0 : 1);
      if (says) await page.getByRole("status").filter({ hasText: says }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Add a rule" }).count(), says ? 0 : 1);
      await page.getByRole("button", { name: "Show what they get" }).waitFor();
      await axeFindsNothing(page);
    });
  }

  it("rules can be reordered by mouse", async () => {
    const path = await newFeature(admin.service, "by-mouse", {
      targeting: targeting([rule("A"), rule("B"), rule("C")]),
    });
    const page = await admin.as("editor", path, { height: 1600 });
    const grip = page.getByRole("button", { name: /^Move rule 3, C: drag/ });
    const target = await card(page, "Rule 1, A").boundingBox();
    await grip.hover();
    await page.mouse.down();
    await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 4 });
    await page.mouse.move(target.x + 40, target.y + 8, { steps: 4 });
    await page.mouse.up();
    assert.deepEqual(await order(page), ["C", "A", "B"]);
    const dialog = await review(page);
    await dialog.getByText("Rule 3 “C” moved from place 3 to 1").waitFor();
    await dialog.getByRole("button", { name: "Save in Staging" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(
      (await read(path)).rules.map(({ name }) => name),
      ["C", "A", "B"],
    );
  });

  it("rules can be reordered by keyboard, and it is announced", async () => {
    const path = await newFeature(admin.service, "by-keyboard", {
      targeting: targeting([rule("A"), rule("B"), rule("C")]),
    });
    const page = await admin.as("editor", path);
    await page.getByRole("button", { name: /^Move rule 1, A: drag/ }).focus();
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await order(page), ["B", "A", "C"]);
    await page.getByRole("status").filter({ hasText: "Moved: rule 1, A is now number 2 of 3." }).waitFor();
    // The focus went with it, so that the next key moves it on.
    await page.keyboard.press("End");
    assert.deepEqual(await order(page), ["B", "C", "A"]);
    await page.getByRole("button", { name: "Move rule 3, A up" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.deepEqual(await order(page), ["A", "B", "C"]);
    assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Move rule 1, A/);
  });

  it("a rule is added, named, given an audience and a split, saved and removed by keyboard alone", async () => {
    const path = await newFeature(admin.service, "all-keys");
    const page = await admin.as("editor", path);
    await page.getByRole("button", { name: "Add a rule" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name of rule 1").focus();
    await page.keyboard.type("Northerners");
    const added = card(page, "Rule 1, Northerners");
    await added.getByRole("button", { name: /For$/ }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Nordic");
    await page.keyboard.press("Enter");
    await added.getByRole("button", { name: "Add a variant" }).focus();
    await page.keyboard.press("Enter");
    await added.getByLabel("Percentage of on").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("12.5");
    await added.getByRole("button", { name: "Spread the rest" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Review and/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Save in Staging" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const saved = rule("Northerners", { on: 12.5, off: 87.5 }, { audienceKey: "nordics" });
    assert.deepEqual((await read(path)).rules, [saved]);
    await page.getByRole("button", { name: "Remove rule 1, Northerners" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("There is no rule: everyone gets the off variant.").waitFor();
  });

  it("conditions have inputs that fit the operator", async () => {
    const path = await newFeature(admin.service, "inputs", { targeting: targeting([rule("Some")]) });
    const page = await admin.as("editor", path);
    const some = card(page, "Rule 1, Some");
    await choose(page, some.getByRole("button", { name: /For$/ }), /Users for whom/);
    const condition = (number) => some.getByRole("group", { name: `Condition ${number} of rule 1` });
    const add = async (number, attribute, operator) => {
      if (number > 1) await some.getByRole("button", { name: "Add a condition" }).click();
      const group = condition(number);
      await group.getByRole("combobox", { name: "Attribute" }).fill(attribute);
      await page.keyboard.press("Tab");
      if (operator) await choose(page, group.getByRole("button", { name: /Comparison$/ }), operator);
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
    await date.getByRole("button", { name: /Comparison$/ }).click();
    assert.deepEqual(await page.getByRole("option").allInnerTexts(), ["is before", "is after"]);
    await page.getByRole("option", { name: "is after" }).click();
    await date.getByLabel("Date and time").fill("2026-12-01T08:30");
    const hour = await add(4, "flagservice.hourofday");
    await hour.getByRole("button", { name: /Comparison$/ }).click();
    const same = ["equals", "is one of", "is none of"];
    const numeric = [...same, "is more than", "is at least", "is less than", "is at most"];
    assert.deepEqual(await page.getByRole("option").allInnerTexts(), numeric);
    await page.getByRole("option", { name: "is less than" }).click();
    await hour.getByLabel("Number").fill("9");
    const member = await add(5, "member", /^equals$/);
    await choose(page, member.getByRole("button", { name: /Kind$/ }), "True or false");
    const dialog = await review(page);
    await dialog.getByRole("button", { name: "Save in Staging" }).click();
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

  it("splits have a bar that adds up to 100 % in steps of 0.001", async () => {
    const path = await newFeature(admin.service, "thirds", {
      variants: ["off", "one", "two", "three"],
      targeting: targeting([rule("Shares", { one: 100 })]),
    });
    const page = await admin.as("editor", path);
    const shares = card(page, "Rule 1, Shares");
    const bar = shares.getByRole("img");
    await shares.getByRole("button", { name: "Add a variant" }).click();
    await shares.getByLabel("Percentage of one").fill("33.333");
    assert.equal(await bar.getAttribute("aria-label"), "one 33.333 %, off 0 %, 66.667 % not given out");
    await shares.getByRole("status").filter({ hasText: "66.667 % are still to be given out." }).waitFor();
    await shares.getByRole("button", { name: "Spread the rest" }).click();
    assert.equal(await bar.getAttribute("aria-label"), "one 33.333 %, off 66.667 %");
    await shares.getByRole("button", { name: "Add a variant" }).click();
    await shares.getByRole("button", { name: "Even shares" }).click();
    assert.equal(await bar.getAttribute("aria-label"), "one 33.334 %, off 33.333 %, two 33.333 %");
    await shares.getByLabel("Percentage of two").fill("50");
    await shares.getByRole("status").filter({ hasText: "16.667 % too much is given out." }).waitFor();
    await page.getByRole("button", { name: /^Review and/ }).click();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await shares.getByLabel("Percentage of two").fill("33.3333");
    await page.getByRole("button", { name: /^Review and/ }).click();
    await shares.getByText("From 0 to 100, with at most 3 decimals.").waitFor();
    await shares.getByLabel("Percentage of two").fill("33,333");
    const dialog = await review(page);
    await dialog.getByText("one 100 % → 33.334 %").waitFor();
  });

  it("a diff is shown before saving, production is confirmed, and a comment goes along", async () => {
    const path = await newFeature(admin.service, "rollout", {
      environment: "production",
      targeting: targeting([rule("A tenth", { on: 10, off: 90 }), rule("Old")], { enabled: false }),
    });
    const page = await admin.as("productionEditor", path);
    await page.getByRole("switch", { name: "Targeting is off" }).press("Space");
    await choose(page, page.getByRole("button", { name: /Off variant$/ }), "on");
    const tenth = card(page, "Rule 1, A tenth");
    await tenth.getByLabel("Percentage of on").fill("50");
    await tenth.getByLabel("Percentage of off").fill("50");
    await page.getByRole("button", { name: "Remove rule 2, Old" }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Name of rule 2").fill("New");
    const dialog = await review(page);
    await dialog.getByRole("heading", { name: "Save to production?" }).waitFor();
    await dialog.getByText("get this at once").waitFor();
    const changes = dialog.getByRole("list", { name: "What changes" });
    assert.deepEqual(await changes.locator(":scope > li > div, :scope > li li").allTextContents(), [
      ...["Targeting switched on", "Off variant off → on"],
      ...["Rule 1 “A tenth” editedon 10 % → 50 %off 90 % → 50 %", "on 10 % → 50 %", "off 90 % → 50 %"],
      "Rule 2 “Old” removed",
      ...["Rule 2 “New” addedfor everyoneoff 100 %", "for everyone", "off 100 %"],
    ]);
    await dialog.getByText("on 50 %", { exact: true }).waitFor();
    await axeFindsNothing(page);
    assert.equal((await read(path)).enabled, false);
    await dialog.getByLabel("Comment").fill("Half of them, for the weekend.");
    await dialog.getByRole("button", { name: "Save in Production" }).click();
    await page.getByText("Saved: rollout in Production.").waitFor();
    const { version, ...saved } = await read(path);
    const rules = [
      rule("A tenth", { on: 50, off: 50 }, { conditions: [] }),
      rule("New", { off: 100 }, { conditions: [] }),
    ];
    assert.deepEqual(saved, targeting(rules, { offVariantKey: "on" }));
    assert.ok(version > 0);
    const history = page.getByRole("region", { name: "History" }).getByRole("listitem").first();
    await history.getByText("Half of them, for the weekend.").waitFor();
    await history.getByText("Pablo Reyes").waitFor();
    await history.getByText("Rule 1 “A tenth” edited").waitFor();
    assert.equal(await history.locator("time").count(), 1);
    await history.getByText("Before and after").press("Enter");
    await history.getByText("on 10 %", { exact: true }).waitFor();
  });

  for (const [gate, feature, environment] of [
    ["environment", "loyalty-points", "production-eu"],
    ["feature", "subscription-plans", "development"],
    ["phase of the pipeline", "price-guarantee", "production"],
  ]) {
    it(`a change held by the ${gate} becomes a request, with a link, and shows on the page`, async () => {
      const path = place(feature, environment);
      const before = await read(path);
      const page = await admin.as("productionEditor", path);
      await page.getByText("Approval required").waitFor();
      await page.getByRole("switch", { name: /Targeting is/ }).press("Space");
      const dialog = await review(page);
      await dialog.getByText("This change is held for approval").waitFor();
      await dialog.getByLabel("Comment").fill("May we?");
      await dialog.getByRole("button", { name: "Request approval" }).click();
      await page.getByText("Nothing has changed yet.").waitFor();
      assert.deepEqual(await read(path), before);
      const [{ id }] = (
        await read(`/projects/shop/approvals?state=pending&featureKey=${feature}&environmentKey=${environment}`)
      ).items;
      const links = page.getByRole("link", { name: "See the request" });
      await links.nth(1).waitFor();
      for (const link of await links.all())
        assert.equal(await link.getAttribute("href"), `/projects/shop/approvals/${id}`);
      await page.getByText("A change by Pablo Reyes waits for approval here.").waitFor();
      // Another one can be prepared, and is not lost; it cannot be saved before that is decided.
      await page.getByRole("switch", { name: /Targeting is/ }).press("Space");
      await page.getByText("this one cannot be saved before that is decided").waitFor();
      assert.ok(await page.getByRole("button", { name: /^Review and/ }).isDisabled());
      await axeFindsNothing(page);
    });
  }

  it("the server's errors stand at the very field", async () => {
    const path = await newFeature(admin.service, "patterns", { targeting: targeting([rule("First"), rule("Second")]) });
    const page = await admin.as("editor", path);
    const second = card(page, "Rule 2, Second");
    await choose(page, second.getByRole("button", { name: /For$/ }), /Users for whom/);
    await second.getByRole("combobox", { name: "Attribute" }).fill("email");
    await page.keyboard.press("Tab");
    await choose(page, second.getByRole("button", { name: /Comparison$/ }), "matches");
    const pattern = second.getByLabel("Regular expression");
    await pattern.fill("(");
    const dialog = await review(page);
    await dialog.getByRole("button", { name: "Save in Staging" }).click();
    await second.getByText("the regular expression cannot be read: unclosed group").waitFor();
    assert.equal(await dialog.count(), 0);
    assert.ok(await pattern.evaluate((field) => field === document.activeElement));
    assert.equal(await pattern.getAttribute("aria-invalid"), "true");
    expectStatus(page, 422);
    await axeFindsNothing(page);
    await pattern.fill("@acme\\.example$");
    await (await review(page)).getByRole("button", { name: "Save in Staging" }).click();
    await page.getByText("Saved: patterns in Staging.").waitFor();
  });

  it("names with <script>, quotes and right-to-left marks are shown as text", async () => {
    const name = `<script>alert("1")</script> '\u202Eright\u202C`;
    const path = await newFeature(admin.service, "names", { name, targeting: targeting([rule(name), rule("Last")]) });
    const page = await admin.as("editor", path);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    assert.deepEqual(await order(page), [name, "Last"]);
    await page.getByRole("button", { name: /^Remove rule 1,/ }).click();
    const dialog = await review(page);
    assert.ok((await dialog.getByRole("list", { name: "What changes" }).textContent()).includes(name));
    assert.equal(await dialog.locator("bdi", { hasText: "right" }).count(), 1);
    assert.equal(await page.locator("script", { hasText: "alert" }).count(), 0);
  });

  it("is usable with 300 rules, at 360 px, and nothing moves while it loads", async () => {
    const rules = Array.from({ length: 300 }, (_, index) => rule(`Rule of ${index}`, { on: 50, off: 50 }));
    const path = await newFeature(admin.service, "many-rules", { targeting: targeting(rules) });
    const page = await admin.as("editor", path, { width: 360, height: 740 });
    await page.getByLabel("Name of rule 300").waitFor();
    await nothingMoved(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.getByRole("button", { name: "Move rule 1, Rule of 0 down" }).press("Enter");
    await page.getByRole("status").filter({ hasText: "Moved: rule 1, Rule of 0 is now number 2 of 300." }).waitFor();
    assert.equal(await page.getByLabel("Name of rule 1", { exact: true }).inputValue(), "Rule of 1");
    await page.getByText("1 change", { exact: true }).waitFor();
  });

  it("an archived feature cannot be changed, and an address that leads nowhere says so", async () => {
    const page = await admin.as("administrator", place("old-basket", "production"));
    await page.getByText("This feature is archived").waitFor();
    assert.equal(await page.getByRole("switch").count(), 0);
    await page.goto(place("no-such-feature", "production"));
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    page.wrongs.splice(0);
  });
});
