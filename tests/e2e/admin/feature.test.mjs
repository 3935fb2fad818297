// The page of one feature: its details, lifecycle, pipeline, and state in each environment.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, expectStatus, targetingPath } from "../../support/admin/targetings.mjs";

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
  const read = (key) => admin.service.as("administrator", "GET", address(key));

  for (const role of ROLES) {
    it(`shows its state in every environment, for ${role}`, async () => {
      const page = await admin.as(role, address("price-guarantee"));
      const environments = page.getByRole("region", { name: "Environments" });
      for (const [name, key] of [
        ["Development", "development"],
        ["Staging", "staging"],
        ["Production", "production"],
      ]) {
        const link = environments.getByRole("link", { name: `Targeting in ${name}`, exact: true });
        assert.equal(await link.getAttribute("href"), targetingPath("price-guarantee", key));
      }
      const phases = page.getByRole("list", { name: "Phases" });
      assert.match(await phases.locator("[aria-current=step]").textContent(), /Try/);
      assert.equal(await page.getByRole("button", { name: "Edit", exact: true }).count(), role === "readOnly" ? 0 : 1);
      assert.equal(await page.getByRole("button", { name: "Archive…" }).count(), role === "readOnly" ? 0 : 1);
      await nothingMoved(page);
      await axeFindsNothing(page);
    });
  }

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
    await dialog.getByLabel("Tags", { exact: true }).fill("beta");
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

  it("works at 360 px, and an unknown address shows that it is not found", async () => {
    const page = await admin.as("readOnly", address("price-guarantee"), { width: 360, height: 740 });
    await page.getByRole("link", { name: "Targeting in Development" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.goto(address("no-such-feature"));
    await page.getByRole("heading", { name: "Not found" }).first().waitFor();
    page.wrongs.splice(0);
  });
});
