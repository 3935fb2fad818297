// The history of a feature in an environment: changes in words, and reverting them.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, expectStatus, rule, targeting } from "../../support/admin/targetings.mjs";

describe("The history of a feature", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const read = (path) => admin.service.as("administrator", "GET", path);
  const entries = (page) => page.getByRole("region", { name: "History" }).locator(".targeting-entry");
  const revert = (page, position) =>
    entries(page)
      .nth(position)
      .getByRole("button", { name: /^Revert the change by/ });

  /** A feature whose rule went from 10% to 20% to 50%. */
  async function grown(key, more) {
    const grow = (share) => ({ rules: [rule("Some", { on: share, off: 100 - share })] });
    const path = await createFeature(admin.service, key, { targeting: targeting(grow(10).rules), ...more });
    for (const share of [20, 50]) await admin.service.as("administrator", "PATCH", path, grow(share));
    return path;
  }

  it("says each change in words, with who made it and when", async () => {
    const page = await admin.as("readOnly", await grown("told"));
    await entries(page).first().getByText('Rule 1 "Some" edited').waitFor();
    await entries(page).first().getByText("on 20% → 50%").waitFor();
    await entries(page).nth(1).getByText("on 10% → 20%").waitFor();
    await entries(page).first().getByText("Alma Lindqvist").first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Revert/ }).count(), 0, "Only who can change it can revert.");
  });

  it("a change is reverted after a review, with a comment that says so, by keyboard", async () => {
    const path = await grown("reverted");
    const page = await admin.as("editor", path);
    await revert(page, 0).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Save to Staging?" });
    await dialog.getByText('Rule 1 "Some" edited').waitFor();
    await dialog.getByText("on 50% → 20%").waitFor();
    assert.match(
      await dialog.getByLabel("Comment").inputValue(),
      /^Reverts to before the change by Alma Lindqvist on /,
    );
    await axeFindsNothing(page);
    assert.equal((await read(path)).served.summary, "on 50%", "Nothing is saved before the review.");
    await dialog.getByRole("button", { name: "Save to Staging" }).press("Enter");
    await page.getByText("reverted in Staging was saved.").waitFor();
    assert.deepEqual((await read(path)).rules, [rule("Some", { on: 20, off: 80 }, { conditions: [] })]);
    await entries(page).first().getByText("on 50% → 20%").waitFor();
    await entries(page)
      .first()
      .getByText(/^Reverts to before the change by Alma Lindqvist/)
      .waitFor();
  });

  it("reverting an older change goes back to the state before it", async () => {
    const path = await grown("older");
    const page = await admin.as("editor", path);
    await revert(page, 1).press("Enter");
    await page.getByRole("dialog").getByText("on 50% → 10%").waitFor();
    await page.getByRole("button", { name: "Save to Staging" }).press("Enter");
    await page.getByText("older in Staging was saved.").waitFor();
    assert.equal((await read(path)).served.summary, "on 10%");
    assert.equal(await revert(page, 2).count(), 0, "It is as it was before that change.");
  });

  it("reverting is requested where an approval is required", async () => {
    const path = await grown("approved");
    await admin.service.as("administrator", "PATCH", "/projects/shop/features/approved", { approvalRequired: true });
    const page = await admin.as("editor", path);
    await page
      .getByRole("button", { name: /^Revert/ })
      .first()
      .press("Enter");
    const dialog = page.getByRole("dialog", { name: "Request approval for Staging?" });
    await dialog.getByRole("button", { name: "Request approval" }).press("Enter");
    await page.getByText("A change by Edda Okafor is pending approval.").waitFor();
    assert.equal((await read(path)).served.summary, "on 50%");
    assert.equal(
      await page
        .getByRole("button", { name: /^Revert/ })
        .first()
        .isDisabled(),
      true,
    );
  });

  it("a change that someone else makes meanwhile is not overwritten", async () => {
    const path = await grown("meanwhile");
    const page = await admin.as("editor", path);
    await revert(page, 0).press("Enter");
    await admin.service.as("administrator", "PATCH", path, { rules: [rule("Some", { on: 70, off: 30 })] });
    await page.getByRole("button", { name: "Save to Staging" }).press("Enter");
    await page.getByRole("dialog", { name: "Someone else changed this targeting" }).waitFor();
    expectStatus(page, 412);
    assert.equal((await read(path)).served.summary, "on 70%");
  });

  it("while there are unsaved changes nothing can be reverted, so that none is lost", async () => {
    const page = await admin.as("editor", await grown("unsaved"));
    await page.getByLabel("Name of rule 1").fill("Everybody");
    assert.equal(await revert(page, 0).isDisabled(), true);
    await page.getByRole("button", { name: "Discard" }).press("Enter");
    assert.equal(await revert(page, 0).isDisabled(), false);
  });
});
