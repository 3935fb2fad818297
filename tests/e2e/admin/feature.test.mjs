// The page of one feature: its environments and their switches, details, lifecycle and pipeline.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, comeBackUntil, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import {
  createFeature,
  expectStatus,
  openReview,
  rule,
  targeting,
  targetingPath,
} from "../../support/admin/targetings.mjs";

describe("A feature", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const address = (key) => `/projects/shop/features/${key}`;
  const requireInProductionEu = (approvalRequired) =>
    admin.service.as("administrator", "PATCH", "/projects/shop/environments/production-eu", { approvalRequired });
  const read = (path) => admin.service.as("administrator", "GET", address(path));

  const tabs = (page) => page.getByRole("navigation", { name: "Feature environments" });
  const tab = (page, name) =>
    tabs(page)
      .getByRole("link")
      .filter({ hasText: new RegExp(`^${name} (serves|on|not)`) });

  for (const role of ROLES) {
    it(`is one page with a tab for every environment, for ${role}`, async () => {
      const page = await admin.as(role, address("price-guarantee"));
      await page.getByRole("heading", { level: 2, name: "Rules" }).waitFor();
      const expected = { Development: "development", Staging: "staging", Production: "production" };
      for (const [name, key] of Object.entries(expected)) {
        assert.equal(await tab(page, name).getAttribute("href"), targetingPath("price-guarantee", key));
      }
      const sections = ["Rules", "Test a user", "Connect your code", "Details", "Pipeline", "History"];
      for (const name of sections) await page.getByRole("region", { name, exact: true }).waitFor();
      const phases = page.getByRole("list", { name: "Phases" });
      assert.match(await phases.locator("[aria-current=step]").textContent(), /Try/);
      assert.equal(await page.getByRole("button", { name: "Edit", exact: true }).count(), role === "readOnly" ? 0 : 1);
      assert.equal(await page.getByRole("button", { name: "Archive…" }).count(), role === "readOnly" ? 0 : 1);
      await nothingMoved(page);
      await axeFindsNothing(page);
    });
  }

  it("opens in the environment that was used last in the project, else in the first that is not production", async () => {
    const page = await admin.as("readOnly", "/projects/shop/features");
    const open = async (name, environment) => {
      await page.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(`**${environment}`);
      await page.getByRole("region", { name: "Rules" }).waitFor();
    };
    await open("Gift cards", targetingPath("gift-cards", "development"));
    await tab(page, "Production").click();
    await page.waitForURL(`**${targetingPath("gift-cards", "production")}`);
    await page.getByRole("region", { name: "Production", exact: true }).waitFor();
    const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
    await crumbs.getByRole("link", { name: "Features", exact: true }).click();
    await open("Reviews", targetingPath("reviews", "production"));
    // The address was replaced, so Back leaves the feature.
    await page.goBack();
    await page.waitForURL("**/projects/shop/features");
  });

  it("without a variant off is not served in a new production environment until somebody accepts or changes its targeting", async () => {
    const at = "/projects/untargeted";
    const make = (path, body) => admin.service.as("administrator", "POST", path, body);
    await make("/projects", { key: "untargeted", name: "Untargeted" });
    await make(`${at}/environments`, { key: "staging", name: "Staging" });
    await make(`${at}/features`, { key: "pricing", name: "Pricing", variants: ["red", "blue"] });
    await make(`${at}/environments`, { key: "live", name: "Live", production: true });
    const page = await admin.as("administrator", `${at}/features/pricing/environments/live`);
    const note = page.getByText("Not served in Live yet:");
    await note.waitFor();
    await tab(page, "Live").filter({ hasText: "not served" }).waitFor();
    await axeFindsNothing(page);
    await page.getByRole("button", { name: "Serve blue…" }).press("Enter");
    const dialog = page.getByRole("alertdialog", { name: "Serve blue in Live?" });
    await dialog.waitFor();
    await axeFindsNothing(page);
    await dialog.getByRole("button", { name: "Serve blue" }).press("Enter");
    await tab(page, "Live").filter({ hasText: "serves blue" }).waitFor();
    await note.waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "Off in Live" }).press("Space");
    await page.getByRole("alertdialog").getByRole("button", { name: "Turn on in Live" }).press("Enter");
    await tabs(page).getByText("red 100%", { exact: true }).waitFor();
    await tab(page, "Staging").click();
    await page.getByRole("region", { name: "Staging", exact: true }).waitFor();
    assert.equal(await page.getByText("Not served in").count(), 0);
  });

  it("does not take the focus from a control when it adds the environment to its address", async () => {
    const page = await admin.as("editor", "/projects/shop/environments");
    await page.addInitScript(() => {
      const focusEdit = () => {
        const button = [...document.querySelectorAll("main button")].find(({ textContent }) => textContent === "Edit");
        if (!button) return;
        button.focus();
        observer.disconnect();
      };
      const observer = new MutationObserver(focusEdit);
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(address("gift-cards"));
    await page.waitForURL(`**${targetingPath("gift-cards", "development")}`);
    await page.getByRole("region", { name: "Development", exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Edit");
  });

  it("says what is served in every environment, and explains where targeting is on without an effect", async () => {
    await createFeature(admin.service, "served", {
      environment: "staging",
      targeting: targeting([rule("Some", { on: 25, off: 75 })]),
    });
    const place = targetingPath("served", "development");
    await admin.service.as("editor", "PATCH", place, { enabled: true });
    const page = await admin.as("readOnly", place, { width: 360 });
    await tab(page, "Staging").getByText("on 25%", { exact: true }).waitFor();
    await tab(page, "Development").getByText("serves off", { exact: true }).waitFor();
    await tab(page, "Production").getByText("serves off", { exact: true }).waitFor();
    const head = page.getByRole("region", { name: "Development", exact: true });
    await head.getByText("serves off, although targeting is on", { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await axeFindsNothing(page);
  });

  it("the switch of an environment takes effect at once, with the questions that the list asks", async () => {
    const rules = targeting([rule("All")], { enabled: false });
    const path = await createFeature(admin.service, "switched", { targeting: rules });
    await admin.service.as("administrator", "PUT", targetingPath("switched", "production"), rules);
    const on = async (environment) => (await read(`switched/environments/${environment}`)).enabled;
    const page = await admin.as("productionEditor", path);
    await page.getByRole("switch", { name: "Off in Staging" }).press("Space");
    await page.getByText("switched in Staging is on.").waitFor();
    await page.getByRole("switch", { name: "On in Staging" }).waitFor();
    await tab(page, "Staging").getByText("on 100%", { exact: true }).waitFor();
    assert.equal(await on("staging"), true);

    await tab(page, "Production").click();
    await page.getByRole("switch", { name: "Off in Production" }).press("Space");
    const question = page.getByRole("alertdialog", { name: "Turn on in production?" });
    await axeFindsNothing(page);
    await question.getByRole("button", { name: "Turn on in Production" }).press("Enter");
    await page.getByRole("switch", { name: "On in Production" }).waitFor();
    assert.equal(await on("production"), true);

    await admin.service.as("administrator", "PATCH", address("switched"), { approvalRequired: true });
    await page.reload();
    await page.getByRole("switch", { name: "On in Production" }).press("Space");
    const request = page.getByRole("alertdialog", { name: "Request approval to turn off in Production?" });
    await request.getByLabel("Comment").fill("Too loud");
    await request.getByRole("button", { name: "Request approval" }).press("Enter");
    await page.getByText("A change by Pablo Reyes is pending approval.").waitFor();
    assert.equal(await page.getByRole("switch", { name: "On in Production" }).isDisabled(), true);
    await tab(page, "Production").getByText("Approval pending").waitFor({ state: "attached" });
    assert.equal(await on("production"), true);
  });

  it("unsaved changes follow the switch, without a conflict", async () => {
    const path = await createFeature(admin.service, "followed-switch", {
      targeting: targeting([rule("All")], { enabled: false }),
    });
    const page = await admin.as("editor", path);
    await page.getByLabel("Name of rule 1").fill("Everybody");
    await page.getByRole("switch", { name: "Off in Staging" }).press("Space");
    await page.getByRole("switch", { name: "On in Staging" }).waitFor();
    await page.getByText("1 unsaved change", { exact: true }).waitFor();
    const dialog = await openReview(page);
    await dialog.getByText('name "All" → "Everybody"').waitFor();
    await dialog.getByRole("button", { name: "Save to Staging" }).press("Enter");
    await page.getByText("followed-switch in Staging was saved.").waitFor();
    const { enabled, rules } = await admin.service.as("editor", "GET", path);
    assert.deepEqual([enabled, rules.map(({ name }) => name)], [true, ["Everybody"]]);
  });

  it("lifecycle status: Draft to Active, Active to Archived, and restored, by keyboard", async () => {
    await createFeature(admin.service, "living", { lifecycle: "Draft" });
    await requireInProductionEu(false);
    const page = await admin.as("productionEditor", address("living"));
    await page.getByRole("button", { name: "Activate" }).press("Enter");
    await page.getByText("living is now active.").waitFor();
    assert.equal((await read("living")).lifecycle, "Active");
    await page.getByRole("button", { name: "Archive…" }).press("Enter");
    const question = page.getByRole("alertdialog");
    await question.getByText("will no longer be sent to clients").waitFor();
    await axeFindsNothing(page);
    await question.getByRole("button", { name: "Archive", exact: true }).press("Enter");
    await page.getByText("living is now archived.").waitFor();
    assert.equal((await read("living")).lifecycle, "Archived");
    await page.getByRole("button", { name: "Restore" }).press("Enter");
    await page.getByRole("button", { name: "Archive…" }).waitFor();
    assert.equal((await read("living")).lifecycle, "Active");
    await requireInProductionEu(true);
  });

  it("name, description, tags, variants and approval can be edited; errors appear at their fields", async () => {
    // A boolean feature with another variant becomes a string, which needs an approval.
    await createFeature(admin.service, "edited", { type: "string" });
    const page = await admin.as("editor", address("edited"));
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(" ");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.getByText("a name cannot be blank").waitFor();
    expectStatus(page, 422);
    const name = `<b>"Edited"</b> \u202Eright`;
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Description").fill("What it is for.");
    await dialog.getByLabel("Tags (optional)", { exact: true }).fill("beta");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Variants", { exact: true }).fill("blue");
    await page.keyboard.press("Enter");
    await dialog.getByText("Require approval for targeting changes").click();
    await axeFindsNothing(page);
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name }).waitFor();
    const { description, tags, variants, approvalRequired } = await read("edited");
    assert.deepEqual([description, tags, variants], ["What it is for.", ["beta"], ["on", "off", "blue"]]);
    assert.equal(approvalRequired, true);
  });

  it("a bad variant is named at its field, with what is allowed", async () => {
    await createFeature(admin.service, "bad-variant");
    const page = await admin.as("editor", address("bad-variant"));
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    const dialog = page.getByRole("dialog");
    const variants = dialog.getByLabel("Variants", { exact: true });
    for (const variant of ["plum", "not a key!"]) {
      await variants.fill(variant);
      await page.keyboard.press("Enter");
    }
    await dialog.locator("button[type=submit]").press("Enter");
    const error = dialog
      .locator(".field", { has: page.getByLabel("Variants", { exact: true }) })
      .locator(".field-error")
      .first();
    await error.getByText("not a key!: A key must begin with a letter or digit").waitFor();
    expectStatus(page, 422);
    assert.doesNotMatch(await dialog.textContent(), /line \d|column \d|variants\/3|body/i);
    assert.ok(await variants.evaluate((field) => field === document.activeElement));
    await axeFindsNothing(page);
  });

  it("where an approval is required, archiving, restoring and a new type ask for it beforehand, with a comment", async () => {
    await createFeature(admin.service, "guarded", { lifecycle: "Active", approvalRequired: true });
    const page = await admin.as("productionEditor", address("guarded"));
    const requests = async () => {
      const { items } = await admin.service.as(
        "administrator",
        "GET",
        "/projects/shop/approvals?state=pending&featureKey=guarded",
      );
      return items;
    };
    const request = async (question, comment) => {
      await question.getByText(/^Approval is required by .*this feature/).waitFor();
      await question.getByLabel("Comment").fill(comment);
      await axeFindsNothing(page);
      await question.getByRole("button", { name: "Request approval" }).press("Enter");
      await question.waitFor({ state: "detached" });
      const [pending, ...more] = await requests();
      assert.deepEqual([pending.comment, more], [comment, []]);
      return pending;
    };
    const decide = ({ id }, verdict) =>
      admin.service.as("administrator", "POST", `/projects/shop/approvals/${id}/${verdict}`, {});

    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    const edit = page.getByRole("dialog", { name: "Edit guarded" });
    assert.equal(await edit.getByRole("button", { name: "Save" }).count(), 1, "Nothing needs an approval yet.");
    await edit.getByLabel("Variants", { exact: true }).fill("blue");
    await page.keyboard.press("Enter");
    await decide(await request(edit, "Blue, too"), "cancel");

    await page.reload();
    await page.getByRole("button", { name: "Archive…" }).press("Enter");
    const archive = page.getByRole("alertdialog", { name: "Request approval to archive this feature?" });
    await decide(await request(archive, "Nobody uses it"), "approve");

    await page.reload();
    await page.getByRole("button", { name: "Restore" }).press("Enter");
    const restore = page.getByRole("alertdialog", { name: "Request approval to restore this feature?" });
    await request(restore, "Somebody does");
    assert.equal((await read("guarded")).lifecycle, "Archived");
  });

  it("every environment in which a change requires approval says so", async () => {
    await createFeature(admin.service, "shielded", { pipelineKey: "release" });
    const page = await admin.as("readOnly", address("shielded"));
    for (const [name, count] of [
      ["Staging", 0],
      ["Production", 1],
      ["Production EU", 1],
    ]) {
      await tab(page, name).waitFor();
      assert.equal(await tab(page, name).getByText("Approval required").count(), count, name);
    }
    await tab(page, "Production").click();
    await page.getByRole("region", { name: "Production", exact: true }).getByText("Approval required").waitFor();
  });

  it("when two people edit it at once, both versions are shown", async () => {
    await createFeature(admin.service, "both");
    const page = await admin.as("editor", address("both"));
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Mine");
    await admin.service.as("administrator", "PATCH", address("both"), { description: "Theirs" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Someone else has changed this feature since you started.").waitFor();
    expectStatus(page, 412);
    await dialog.getByText('"name": "Mine"').waitFor();
    await dialog.getByText('"description": "Theirs"').waitFor();
    await dialog.getByRole("button", { name: "Keep mine" }).press("Enter");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal((await read("both")).name, "Mine");
  });

  it("moves to the next phase of its pipeline after a confirmation", async () => {
    await createFeature(admin.service, "released", { pipelineKey: "release" });
    const page = await admin.as("editor", address("released"));
    await page.getByRole("button", { name: "Move to Test…" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Move to Test" }).press("Enter");
    await page.getByText("released was moved to Test.").waitFor();
    assert.equal((await read("released")).phase.name, "Test");
  });

  it("asks about one move: it stays that move when someone else makes it meanwhile", async () => {
    await createFeature(admin.service, "released-twice", { pipelineKey: "release" });
    const page = await admin.as("editor", address("released-twice"));
    await page.getByRole("button", { name: "Move to Test…" }).press("Enter");
    await page.getByRole("alertdialog", { name: "Move to Test?" }).waitFor();
    await admin.service.as("administrator", "POST", `${address("released-twice")}/next-phase`, {});
    await comeBackUntil(page, page.getByText("Move to Ship…").waitFor());
    await page.getByRole("alertdialog").getByRole("button", { name: "Move to Test" }).press("Enter");
    await page.getByRole("alertdialog", { name: "Move to Test?" }).getByRole("alert").waitFor();
    expectStatus(page, 409);
    assert.equal((await read("released-twice")).phase.name, "Test");
  });

  it("works at 360 px, and an unknown address shows that it is not found", async () => {
    const page = await admin.as("readOnly", address("price-guarantee"), { width: 360, height: 740 });
    await tab(page, "Development").waitFor();
    await page.getByRole("region", { name: "History" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.goto(address("no-such-feature"));
    await page.getByRole("heading", { name: "Not found" }).first().waitFor();
    await page.goto(targetingPath("price-guarantee", "no-such-environment"));
    await page.getByText("This project has no environment with the key no-such-environment.").waitFor();
    await tab(page, "Staging").click();
    await page.getByRole("region", { name: "Rules" }).waitFor();
    page.wrongs.splice(0);
  });
});
