// Unsaved changes survive other people's edits, an ended session, an unreachable server, navigation and a reload.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import {
  createFeature,
  expectStatus,
  openReview,
  rule,
  ruleCard,
  ruleNames,
  targeting,
  targetingPath,
} from "../../support/admin/targetings.mjs";

describe("A draft of targeting", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const read = (path) => admin.service.as("administrator", "GET", path);
  const save = (page) => page.getByRole("dialog").getByRole("button", { name: "Save to Staging" });

  /** Someone else saves while the draft is reviewed; then the draft is saved. */
  async function collide(key) {
    const path = await createFeature(admin.service, key, { targeting: targeting([rule("Mine"), rule("Other")]) });
    const page = await admin.as("editor", path);
    await ruleCard(page, "Rule 1, Mine").getByLabel("Percentage for on").fill("40");
    await ruleCard(page, "Rule 1, Mine").getByRole("button", { name: "Add variant" }).click();
    const dialog = await openReview(page);
    await dialog.getByLabel("Comment").fill("Forty");
    await admin.service.as("administrator", "PATCH", path, { rules: [rule("Mine"), rule("Other"), rule("Theirs")] });
    await save(page).click();
    await dialog.getByRole("heading", { name: "Someone else changed this targeting" }).waitFor();
    expectStatus(page, 412);
    await dialog.getByRole("list", { name: "Their changes" }).getByText('Rule 3 "Theirs" added').waitFor();
    await dialog.getByRole("list", { name: "Your changes" }).getByText("on 100% → 40%").waitFor();
    return { path, page, dialog };
  }

  it("a version conflict shows both versions; using theirs can be undone", async () => {
    const { page, dialog } = await collide("take-theirs");
    await axeFindsNothing(page);
    await dialog.getByRole("button", { name: "Use theirs" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await ruleNames(page), ["Mine", "Other", "Theirs"]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    assert.deepEqual(await ruleNames(page), ["Mine", "Other"]);
    assert.equal(await ruleCard(page, "Rule 1, Mine").getByLabel("Percentage for on").inputValue(), "40");
  });

  it("a version conflict shows both versions; theirs can be overwritten after a review", async () => {
    const { path, page, dialog } = await collide("put-mine");
    await dialog.getByRole("button", { name: "Overwrite with mine…" }).press("Enter");
    await dialog.getByText('Rule 3 "Theirs" removed').waitFor();
    assert.equal(await dialog.getByLabel("Comment").inputValue(), "Forty");
    await save(page).click();
    await page.getByText("put-mine in Staging was saved.").waitFor();
    assert.deepEqual((await read(path)).rules, [
      rule("Mine", { on: 40, off: 60 }, { conditions: [] }),
      rule("Other", { on: 100 }, { conditions: [] }),
    ]);
  });

  it("is kept when the session ends, and saved after signing in again", async () => {
    const path = await createFeature(admin.service, "session-ended", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    await page.getByLabel("Name of rule 1").fill("Renamed");
    await openReview(page);
    await page.context().clearCookies();
    await save(page).click();
    await page.getByLabel("Personal access token").fill(admin.service.tokenOf("editor"));
    await page.getByRole("button", { name: "Sign in and continue" }).click();
    await page.getByText("session-ended in Staging was saved.").waitFor();
    expectStatus(page, 401);
    page.wrongs.splice(0);
    assert.equal((await read(path)).rules[0].name, "Renamed");
  });

  it("is kept while the server is unreachable, with a clear message", async () => {
    const path = await createFeature(admin.service, "server-away", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    await page.getByLabel("Name of rule 1").fill("Renamed");
    const dialog = await openReview(page);
    await admin.service.kill();
    await save(page).click();
    await dialog
      .getByText("The change may have been made: check before you try again. Your input is still here.")
      .waitFor();
    await admin.service.start();
    await save(page).click();
    await page.getByText("server-away in Staging was saved.").waitFor();
    // Chromium logs the failed requests.
    page.wrongs.splice(0);
    assert.equal((await read(path)).rules[0].name, "Renamed");
  });

  it("is kept through navigation, with a notice, and a reload; the next person in the tab does not see it", async () => {
    const path = await createFeature(admin.service, "kept", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByLabel("Name of rule 1").fill("Not saved");
    await page.getByRole("link", { name: "Development" }).press("Enter");
    await page.getByText("Your changes to kept in Staging are not saved. They are kept in this tab.").waitFor();
    await page.getByRole("link", { name: "Go back" }).press("Enter");
    await page.getByText("Your unsaved changes were restored").waitFor();
    assert.deepEqual(await ruleNames(page), ["Not saved"]);
    await page.reload();
    await page.getByText("Your unsaved changes were restored").waitFor();
    assert.deepEqual(await ruleNames(page), ["Not saved"]);
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel("Personal access token").fill(admin.service.tokenOf("administrator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Name of rule 1").waitFor();
    assert.deepEqual(await ruleNames(page), ["One"]);
    page.wrongs.splice(0);
  });

  it("shows before saving that someone else has saved a change since", async () => {
    const path = await createFeature(admin.service, "followed", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByLabel("Name of rule 1").fill("Mine");
    await admin.service.as("administrator", "PATCH", path, { rules: [rule("Theirs")] });
    await page.reload();
    await page.getByText("Someone else changed this targeting after you started editing.").waitFor();
    assert.deepEqual(await ruleNames(page), ["Mine"]);
    await page.getByRole("button", { name: "Compare changes" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Decide later" }).press("Enter");
    await page.getByRole("button", { name: "Discard" }).press("Enter");
    assert.deepEqual(await ruleNames(page), ["Theirs"]);
  });

  it("a change that is pending approval is shown in its environment", async () => {
    const page = await admin.as("readOnly", targetingPath("subscription-plans", "staging"));
    await page.getByText("A change by Edda Okafor is pending approval.").waitFor();
    await page.getByText("The testers have asked for it. On for everybody on staging?").waitFor();
    await page.getByRole("link", { name: "View request" }).waitFor();
  });
});
