// Nothing that is typed is lost: other people's edits, an ended session, a server that is away, navigation, a reload.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";
import {
  ask,
  card,
  expectStatus,
  newFeature,
  order,
  place,
  review,
  rule,
  targeting,
} from "../../support/admin/targetings.mjs";

describe("A draft of targeting", () => {
  let admin;

  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin?.close());
  afterEach(() => admin.endTest());

  const read = (path) => ask(admin.service, "administrator", "GET", path);
  const save = (page) => page.getByRole("dialog").getByRole("button", { name: "Save in Staging" });

  /** Somebody else saves after the draft was reviewed; then the draft is sent. */
  async function collide(key) {
    const path = await newFeature(admin.service, key, { targeting: targeting([rule("Mine"), rule("Other")]) });
    const page = await admin.as("editor", path);
    await card(page, "Rule 1, Mine").getByLabel("Percentage of on").fill("40");
    await card(page, "Rule 1, Mine").getByRole("button", { name: "Add a variant" }).click();
    const dialog = await review(page);
    await dialog.getByLabel("Comment").fill("Forty");
    await ask(admin.service, "administrator", "PATCH", path, { rules: [rule("Mine"), rule("Other"), rule("Theirs")] });
    await save(page).click();
    await dialog.getByRole("heading", { name: "Somebody else has changed this meanwhile" }).waitFor();
    expectStatus(page, 412);
    await dialog.getByRole("list", { name: "Their changes" }).getByText("Rule 3 “Theirs” added").waitFor();
    await dialog.getByRole("list", { name: "Your changes" }).getByText("on 100 % → 40 %").waitFor();
    return { path, page, dialog };
  }

  it("a conflict by version shows both sides; theirs can be taken, and one's own brought back", async () => {
    const { page, dialog } = await collide("take-theirs");
    await axeFindsNothing(page);
    await dialog.getByRole("button", { name: "Take theirs" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await order(page), ["Mine", "Other", "Theirs"]);
    await page.getByRole("button", { name: "Bring them back" }).press("Enter");
    assert.deepEqual(await order(page), ["Mine", "Other"]);
    assert.equal(await card(page, "Rule 1, Mine").getByLabel("Percentage of on").inputValue(), "40");
  });

  it("a conflict by version shows both sides; one's own can be put over it after looking", async () => {
    const { path, page, dialog } = await collide("put-mine");
    await dialog.getByRole("button", { name: "Put mine over it…" }).press("Enter");
    await dialog.getByText("Rule 3 “Theirs” removed").waitFor();
    assert.equal(await dialog.getByLabel("Comment").inputValue(), "Forty");
    await save(page).click();
    await page.getByText("Saved: put-mine in Staging.").waitFor();
    assert.deepEqual((await read(path)).rules, [
      rule("Mine", { on: 40, off: 60 }, { conditions: [] }),
      rule("Other", { on: 100 }, { conditions: [] }),
    ]);
  });

  it("outlives a session that has ended, and is saved after signing in again", async () => {
    const path = await newFeature(admin.service, "session-ended", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    await page.getByLabel("Name of rule 1").fill("Renamed");
    await review(page);
    await page.context().clearCookies();
    await save(page).click();
    await page.getByLabel("Personal access token").fill(admin.service.tokenOf("editor"));
    await page.getByRole("button", { name: "Sign in and go on" }).click();
    await page.getByText("Saved: session-ended in Staging.").waitFor();
    expectStatus(page, 401);
    page.wrongs.splice(0);
    assert.equal((await read(path)).rules[0].name, "Renamed");
  });

  it("outlives a server that is away, with a clear message", async () => {
    const path = await newFeature(admin.service, "server-away", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    await page.getByLabel("Name of rule 1").fill("Renamed");
    const dialog = await review(page);
    await admin.service.kill();
    await save(page).click();
    await dialog.getByText("Nothing was changed, and what you entered is still here.").waitFor();
    await admin.service.start();
    await save(page).click();
    await page.getByText("Saved: server-away in Staging.").waitFor();
    // Chromium says that nothing answered.
    page.wrongs.splice(0);
    assert.equal((await read(path)).rules[0].name, "Renamed");
  });

  it("outlives navigation, with a warning, and a reload; the next person in the tab does not see it", async () => {
    const path = await newFeature(admin.service, "kept", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByLabel("Name of rule 1").fill("Not saved");
    await page.getByRole("link", { name: "Development" }).press("Enter");
    await page.getByText("Your changes of kept in Staging are not saved. They are kept in this tab.").waitFor();
    await page.getByRole("link", { name: "Go back" }).press("Enter");
    await page.getByText("These are your changes from before").waitFor();
    assert.deepEqual(await order(page), ["Not saved"]);
    await page.reload();
    await page.getByText("These are your changes from before").waitFor();
    assert.deepEqual(await order(page), ["Not saved"]);
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel("Personal access token").fill(admin.service.tokenOf("administrator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Name of rule 1").waitFor();
    assert.deepEqual(await order(page), ["One"]);
    page.wrongs.splice(0);
  });

  it("says when somebody else has saved since it was begun, before it is sent", async () => {
    const path = await newFeature(admin.service, "followed", { targeting: targeting([rule("One")]) });
    const page = await admin.as("editor", path);
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByLabel("Name of rule 1").fill("Mine");
    await ask(admin.service, "administrator", "PATCH", path, { rules: [rule("Theirs")] });
    await page.reload();
    await page.getByText("Somebody else has changed this since you began.").waitFor();
    assert.deepEqual(await order(page), ["Mine"]);
    await page.getByRole("button", { name: "Look at both sides" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Decide later" }).press("Enter");
    await page.getByRole("button", { name: "Discard" }).press("Enter");
    assert.deepEqual(await order(page), ["Theirs"]);
  });

  it("a change that waits for approval is shown in its environment", async () => {
    const page = await admin.as("readOnly", place("subscription-plans", "staging"));
    await page.getByText("A change by Edda Okafor waits for approval here.").waitFor();
    await page.getByText("The testers have asked for it. On for everybody on staging?").waitFor();
    await page.getByRole("link", { name: "See the request" }).waitFor();
  });
});
