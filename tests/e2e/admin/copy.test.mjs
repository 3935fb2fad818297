// Copying targeting from one environment to another, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { escapeDialog, expectComplaint, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import {
  copyBar,
  createProject,
  dialog,
  featureCheckbox,
  openComparison,
  openCopyDialog,
  PAIR,
  pressUntilFocused,
  results,
  setting,
} from "../../support/admin/comparison.mjs";
import { COUNTS, targetingPath } from "../../support/admin/release.mjs";
import { row, shownTexts } from "../../support/admin/rows.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("only features that differ and can be copied are selectable, also with Select all", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin), `${PAIR}&show=all`);
  assert.equal(await page.getByRole("checkbox", { name: "Select Sameness: identical" }).isDisabled(), true);
  assert.equal(await page.getByRole("checkbox", { name: /^Select Waiting: cannot copy, / }).isDisabled(), true);
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await copyBar(page).getByText("7 selected").waitFor();
  for (const name of ["Banner", "Checkout", "Guarded", "Lane", "Preview", "Ranking", "Train"]) {
    assert.equal(await featureCheckbox(page, name).isChecked(), true, name);
  }
  // Features that the filter hides stay selected, and the bar says how many.
  await page.getByRole("searchbox", { name: "Search features" }).fill("banner");
  await copyBar(page).getByText("7 selected, 6 hidden by the filter").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await copyBar(page).getByText("6 selected, 6 hidden by the filter").waitFor();
  await page.getByRole("searchbox", { name: "Search features" }).fill("no such feature");
  await copyBar(page).getByText("6 selected, 6 hidden by the filter").waitFor();
  await copyBar(page).getByRole("button", { name: "Clear" }).press("Enter");
  await copyBar(page).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "No matching features" }).waitFor();
  await page.getByRole("searchbox", { name: "Search features" }).fill("");
  await copyBar(page).getByText("None selected").waitFor();
});

test("the button reads Request approval when every selected feature needs approval", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  const button = copyBar(page).getByRole("button").last();
  assert.equal(await button.isDisabled(), true);
  await featureCheckbox(page, "Guarded").press("Space");
  await featureCheckbox(page, "Train").press("Space");
  assert.equal(await button.textContent(), "Request approval");
  await featureCheckbox(page, "Checkout").press("Space");
  assert.equal(await button.textContent(), "Copy 3 features…");
  for (const label of ["On/off state", "Off variant", "Targeting rules"]) {
    await setting(page, label).press("Space");
  }
  await copyBar(page).getByText("Select a setting to copy.").waitFor();
  assert.equal(await button.isDisabled(), true);
});

test("the dialog lists features and settings, and says clearly that the target is production", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  await page.locator(".compare-target", { hasText: "Copying to Production" }).locator(".chip").waitFor();
  await setting(page, "Off variant").press("Space");
  await openCopyDialog(page, ["Banner", "Checkout"]);
  await dialog(page).getByRole("heading", { name: "Copy 2 features to Production?" }).waitFor();
  await dialog(page).getByText("Production is a production environment.").waitFor();
  await dialog(page).getByText("On/off state, Targeting rules. Not copied: Off variant", { exact: true }).waitFor();
  const listed = dialog(page).getByRole("list", { name: "Features to copy" }).getByRole("listitem");
  assert.deepEqual(await shownTexts(listed), [
    "Banner banner No differences in these settings: will be skipped",
    "Checkout checkout On/off state",
  ]);
  // The focus starts on Cancel, and Escape changes nothing.
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await escapeDialog(page);
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(await featureCheckbox(page, "Banner").isChecked(), true);
});

test("the dialog says when all features need approval", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  await openCopyDialog(page, ["Guarded", "Train"]);
  await dialog(page)
    .getByText("All of these features need approval. Nothing changes in Production until another person approves.")
    .waitFor();
  await dialog(page).getByRole("button", { name: "Request approval" }).waitFor();
});

test("the dialog says when only some features need approval", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  await openCopyDialog(page, ["Guarded", "Checkout", "Banner"]);
  await dialog(page).getByText("Only 1 of 3 features needs approval: Guarded.").waitFor();
  await dialog(page).getByRole("button", { name: "Copy to Production" }).waitFor();
});

test("the dialog warns about audiences copied inline and about pipelines", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  await openCopyDialog(page, ["Preview", "Lane"]);
  const inline = dialog(page).getByText("Audience copied inline in Preview: Testers on staging");
  assert.match(await inline.textContent(), /evaluate the same in Production, but are no longer linked/);
  const pipeline = dialog(page).getByText("In a pipeline (Quick lane): Lane.");
  assert.match(
    await pipeline.textContent(),
    /The copy sets the target's targeting outright and does not advance the pipeline\./,
  );
  await dialog(page).getByRole("button", { name: "Cancel" }).press("Enter");
  // Without rules, no audience is copied inline.
  await setting(page, "Targeting rules").press("Space");
  await copyBar(page).getByRole("button").last().press("Enter");
  await pipeline.waitFor();
  assert.equal(await inline.count(), 0);
});

test("the dialog warns about scheduled changes of the target, which the copy makes stale", async () => {
  const { key, at } = await createProject(admin);
  const path = targetingPath(key, "checkout", "production");
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await service.as("productionEditor", "PATCH", path, { enabled: true, scheduledFor });
  const page = await openComparison(admin, "productionEditor", { at });
  const chip = row(page, "Checkout").getByRole("button", { name: "Changes scheduled" });
  await chip.press("Enter");
  const link = page.getByRole("link", { name: "View scheduled change" });
  assert.equal(await link.getAttribute("href"), `${at}/approvals/${id}`);
  await page.keyboard.press("Escape");
  await openCopyDialog(page, ["Checkout", "Lane"]);
  const warning = dialog(page).getByText("Changes are scheduled in Production for Checkout.");
  assert.match(await warning.textContent(), /They become stale when the copy is applied, and are not made\./);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await results(page).filter({ hasText: "Checkout" }).getByText("Applied", { exact: true }).waitFor();
  assert.ok((await service.as("readOnly", "GET", `${at}/approvals/${id}`)).stale);
});

test("the dialog warns about an experiment that is running in the target", async () => {
  const { key, at } = await createProject(admin);
  const as = (method, path, body) => service.as("administrator", method, path, body);
  const splits = ["on", "off"].map((variantKey) => ({ variantKey, percentage: 50 }));
  await as("PATCH", targetingPath(key, "checkout", "production"), { enabled: true, rules: [{ splits }] });
  const experiments = `${at}/environments/production/experiments`;
  const goals = [{ key: "purchase", role: "primary" }];
  const plan = { plannedDays: 14, plannedParticipants: 500 };
  const experiment = { key: "sales", name: "Sales", featureKey: "checkout", controlVariantKey: "off", goals, ...plan };
  await as("POST", experiments, experiment);
  await as("POST", `${experiments}/sales/start`, {});
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Checkout", "Lane"]);
  await dialog(page).getByText("An experiment is running in Production with Checkout.").waitFor();
});

test("every feature is reported as applied, pending approval with a link to the request, or skipped with the reason", async () => {
  const { key, at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Checkout", "Guarded", "Ranking"]);
  // Someone else changes the target in the meantime.
  await service.as("administrator", "PATCH", targetingPath(key, "ranking", "production"), { enabled: true });
  await dialog(page).getByLabel("Comment").fill("As tested this week.");
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await dialog(page).getByRole("heading", { name: "Copy results" }).waitFor();
  await dialog(page).getByText("1 feature copied, 1 approval request sent, 1 feature skipped for Production").waitFor();

  const outcome = (name) => results(page).filter({ hasText: name });
  await outcome("Checkout").getByText("Applied", { exact: true }).waitFor();
  await outcome("Ranking").getByText("Skipped", { exact: true }).waitFor();
  await outcome("Ranking").getByText("changed since").waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?featureKey=guarded`);
  assert.equal(items[0].comment, "As tested this week.");
  assert.equal(
    await outcome("Guarded")
      .getByRole("link", { name: /^View request/ })
      .getAttribute("href"),
    `${at}/approvals/${items[0].id}`,
  );
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "checkout", "production"))).enabled, true);
  assert.deepEqual((await service.as("readOnly", "GET", targetingPath(key, "ranking", "production"))).enabled, true);
  const audit = await service.as("administrator", "GET", "/audit-log?limit=20");
  assert.ok(audit.items.some((entry) => JSON.stringify(entry).includes("As tested this week.")));
});

test("what changed in the source since it was shown is not copied", async () => {
  const { key, at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Lane", "Checkout"]);
  const rules = [{ name: "Unseen", splits: [{ variantKey: "teal", percentage: 100 }] }];
  await service.as("editor", "PATCH", targetingPath(key, "checkout", "staging"), { rules });
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await results(page).filter({ hasText: "Checkout" }).getByText("The source's targeting changed since").waitFor();
  await results(page).filter({ hasText: "Lane" }).getByText("Applied", { exact: true }).waitFor();
  const left = await service.as("readOnly", "GET", targetingPath(key, "checkout", "production"));
  assert.deepEqual([left.enabled, left.rules.map(({ name }) => name)], [false, ["Everybody"]]);
});

test("the comparison refreshes after a copy", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  await openCopyDialog(page, ["Checkout", "Guarded"]);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Done" }).press("Enter");
  await row(page, "Checkout").waitFor({ state: "detached" });
  await page.getByText(`${COUNTS.different - 1} different`, { exact: true }).waitFor();
  await page.getByText(`${COUNTS.identical + 1} identical`, { exact: true }).waitFor();
  // A feature with a pending change can't be copied, and nothing is selected.
  await row(page, "Guarded").getByRole("button", { name: "Cannot copy" }).waitFor();
  await copyBar(page).getByText("None selected").waitFor();
});

test("settings that are not selected keep the target's values, and features without other differences are skipped", async () => {
  const { key, at } = await createProject(admin);
  const page = await openComparison(admin, "administrator", { at });
  await setting(page, "Targeting rules").press("Space");
  await setting(page, "Off variant").press("Space");
  await openCopyDialog(page, ["Lane", "Ranking"]);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await results(page).filter({ hasText: "Ranking" }).getByText("Skipped", { exact: true }).waitFor();
  await results(page).filter({ hasText: "Lane" }).getByText("Applied", { exact: true }).waitFor();
  const { enabled, offVariantKey, rules } = await service.as(
    "readOnly",
    "GET",
    targetingPath(key, "lane", "production"),
  );
  assert.deepEqual(
    { enabled, offVariantKey, rules: rules[0].name },
    { enabled: true, offVariantKey: "off", rules: "Everybody" },
  );
});

test("a copy whose response was lost can be sent again and is done once", async () => {
  const { at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Checkout"]);
  await dialog(page).getByLabel("Comment").fill("Once.");
  const keys = [];
  await page.route("**/environments/copy", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  const send = dialog(page).getByRole("button", { name: "Copy to Production" });
  await send.press("Enter");
  await dialog(page).getByText("your input is still here").waitFor();
  assert.equal(await dialog(page).getByLabel("Comment").inputValue(), "Once.");
  await send.press("Enter");
  // With another key it would be skipped, because the target has changed.
  await results(page).getByText("Applied", { exact: true }).waitFor();
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_/);
});

test("after a copy that ended early, the comparison refreshes, and sending it again continues", async () => {
  const { key, at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Checkout", "Lane"]);
  const detail = "The database is busy and did not get to this in time. Try again a little later.";
  let sent = 0;
  await page.route("**/environments/copy", async (route) => {
    sent += 1;
    if (sent > 1) return route.fallback();
    await service.as("administrator", "PATCH", targetingPath(key, "checkout", "production"), { enabled: true });
    await route.fulfill({ status: 503, json: { type: "about:blank", title: "Busy", status: 503, detail } });
  });
  const send = dialog(page).getByRole("button", { name: "Copy to Production" });
  await send.press("Enter");
  await dialog(page).getByText(detail).waitFor();
  expectComplaint(page, /503/);
  await dialog(page).getByText("Some features may have been copied already.").waitFor();
  await page.getByText(`${COUNTS.different - 1} different`).waitFor();
  await send.press("Enter");
  await results(page).filter({ hasText: "Lane" }).getByText("Applied", { exact: true }).waitFor();
});

test("read-only users can compare but not copy; copying to production requires the production editor role", async () => {
  const { at } = await createProject(admin);
  const canCopy = {
    administrator: { qa: true, production: true },
    productionEditor: { qa: true, production: true },
    editor: { qa: true, production: false },
    readOnly: { qa: false, production: false },
  };
  for (const role of ROLES) {
    for (const [target, can] of Object.entries(canCopy[role])) {
      const page = await openComparison(admin, role, { at }, `compare?source=staging&target=${target}`);
      await row(page, "Checkout").waitFor();
      assert.equal(await copyBar(page).isVisible(), can, `${role} to ${target}`);
      assert.equal((await page.getByRole("checkbox").count()) > 0, can, `${role} to ${target}`);
      const reasons = {
        readOnly: "You can compare but not copy. Your role is Read-only.",
        editor: "Copying to Production requires the production editor role. Your role is Editor.",
      };
      assert.equal((await page.getByRole("note").allInnerTexts()).join(""), can ? "" : reasons[role]);
      await page.context().close();
    }
  }
});

test("an editor can copy to an environment that is not production", async () => {
  const { key, at } = await createProject(admin);
  const page = await openComparison(admin, "editor", { at }, "compare?source=staging&target=qa");
  await openCopyDialog(page, ["Checkout"]);
  assert.equal(await dialog(page).getByText("production environment").count(), 0);
  await dialog(page).getByRole("button", { name: "Copy to QA" }).press("Enter");
  await results(page).getByText("Applied", { exact: true }).waitFor();
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "checkout", "qa"))).enabled, true);
});

test("a copy works with the keyboard only", async () => {
  const { at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await pressUntilFocused(page, page.getByRole("searchbox", { name: "Search features" }));
  await page.keyboard.type("e");
  await pressUntilFocused(page, page.getByRole("checkbox", { name: "Select all" }));
  await pressUntilFocused(page, featureCheckbox(page, "Banner"));
  await pressUntilFocused(page, featureCheckbox(page, "Guarded"), "ArrowDown");
  await page.keyboard.press("Space");
  await pressUntilFocused(page, setting(page, "Off variant"));
  await page.keyboard.press("Space");
  await pressUntilFocused(page, copyBar(page).getByRole("button", { name: "Request approval" }));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await pressUntilFocused(page, dialog(page).getByRole("button", { name: "Request approval" }));
  await page.keyboard.press("Enter");
  await results(page).getByText("Pending approval", { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Done");
  await pressUntilFocused(page, results(page).getByRole("link"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${at}/approvals/*`);
});

test("when the session ends, signing in over the dialog continues the copy with its comment", async () => {
  const { at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Guarded"]);
  await dialog(page).getByLabel("Comment").fill("Typed before the end.");
  await page.context().clearCookies();
  await dialog(page).getByRole("button", { name: "Request approval" }).press("Enter");
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByLabel("Personal access token").fill(service.tokenOf("productionEditor"));
  await ended.getByRole("button", { name: "Sign in and continue" }).click();
  await results(page).getByText("Pending approval", { exact: true }).waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?featureKey=guarded`);
  assert.equal(items[0].comment, "Typed before the end.");
  for (const text of page.wrongs.splice(0)) assert.match(text, /401/);
});
