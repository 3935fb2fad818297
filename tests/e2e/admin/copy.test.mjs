// Targeting copied from one environment to another, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ROLES, startAdmin } from "../../support/admin/admin.mjs";
import {
  ask,
  bar,
  dialog,
  keyTo,
  open,
  PAIR,
  project,
  results,
  row,
  setting,
  tick,
} from "../../support/admin/comparison.mjs";
import { COUNTS, targeting } from "../../support/admin/release.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("only features that differ and can be copied are selectable, select all included", async () => {
  const page = await open(admin, "productionEditor", await project(admin), `${PAIR}&show=all`);
  assert.equal(await page.getByRole("checkbox", { name: "Select Sameness: identical" }).isDisabled(), true);
  assert.equal(await page.getByRole("checkbox", { name: /^Select Waiting: cannot copy, / }).isDisabled(), true);
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await bar(page).getByText("7 selected").waitFor();
  for (const name of ["Banner", "Checkout", "Guarded", "Lane", "Preview", "Ranking", "Train"]) {
    assert.equal(await tick(page, name).isChecked(), true, name);
  }
  // What a filter hides stays selected, and is said to be.
  await page.getByRole("searchbox", { name: "Find a feature" }).fill("banner");
  await bar(page).getByText("7 selected, 6 of them not in view").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await bar(page).getByText("6 selected, 6 of them not in view").waitFor();
  await bar(page).getByRole("button", { name: "Clear" }).press("Enter");
  await bar(page).getByText("None selected").waitFor();
});

test("the button reads Request approval when every selected feature is gated", async () => {
  const page = await open(admin, "productionEditor", await project(admin));
  const button = bar(page).getByRole("button").last();
  assert.equal(await button.isDisabled(), true);
  await tick(page, "Guarded").press("Space");
  await tick(page, "Train").press("Space");
  assert.equal(await button.textContent(), "Request approval");
  await tick(page, "Checkout").press("Space");
  assert.equal(await button.textContent(), "Copy 3 features…");
  for (const label of ["On/off state", "Off variant", "Targeting rules"]) {
    await setting(page, label).press("Space");
  }
  await bar(page).getByText("no setting to copy").waitFor();
  assert.equal(await button.isDisabled(), true);
});

test("the confirmation lists features and settings, and says clearly that the target is production", async () => {
  const page = await open(admin, "productionEditor", await project(admin));
  await page.getByText("A copy goes into Production, a production environment.").waitFor();
  await setting(page, "Off variant").press("Space");
  await ask(page, ["Banner", "Checkout"]);
  await dialog(page).getByRole("heading", { name: "Copy 2 features to Production?" }).waitFor();
  await dialog(page).getByText("Production is a production environment.").waitFor();
  await dialog(page)
    .getByText("On/off state, Targeting rules. The target keeps its own: Off variant", { exact: true })
    .waitFor();
  const listed = dialog(page).getByRole("list", { name: "Features to copy" }).getByRole("listitem");
  assert.deepEqual(
    (await listed.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ["Banner banner Nothing differs in these settings: it will be skipped", "Checkout checkout On/off state"],
  );
  // It begins where nothing happens, and Escape goes back with nothing changed.
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(await tick(page, "Banner").isChecked(), true);
});

test("the confirmation warns that all of the features need approval", async () => {
  const page = await open(admin, "productionEditor", await project(admin));
  await ask(page, ["Guarded", "Train"]);
  await dialog(page).getByText("All of these features need approval: nothing changes in Production until").waitFor();
  await dialog(page).getByRole("button", { name: "Request approval" }).waitFor();
});

test("the confirmation says when only some of the features need approval", async () => {
  const page = await open(admin, "productionEditor", await project(admin));
  await ask(page, ["Guarded", "Checkout", "Banner"]);
  await dialog(page).getByText("Only 1 of 3 features needs approval, and waits for it: Guarded.").waitFor();
  await dialog(page).getByRole("button", { name: "Copy to Production" }).waitFor();
});

test("the confirmation warns of audiences copied inline and of pipelines", async () => {
  const page = await open(admin, "productionEditor", await project(admin));
  await ask(page, ["Preview", "Lane"]);
  const inline = dialog(page).getByText("Audience copied inline, in Preview: Testers on staging");
  assert.match(await inline.textContent(), /evaluate the same in Production, and are no longer linked/);
  const pipeline = dialog(page).getByText("In a pipeline (Quick lane): Lane.");
  assert.match(
    await pipeline.textContent(),
    /The copy sets the target’s targeting outright and does not advance the pipeline\./,
  );
  await dialog(page).getByRole("button", { name: "Cancel" }).press("Enter");
  // No rule is copied, so none is written inline.
  await setting(page, "Targeting rules").press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  await pipeline.waitFor();
  assert.equal(await inline.count(), 0);
});

test("every feature is reported as APPLIED, PENDING_APPROVAL with its approval, or SKIPPED with the reason", async () => {
  const { key, at } = await project(admin);
  const page = await open(admin, "productionEditor", { at });
  await ask(page, ["Checkout", "Guarded", "Ranking"]);
  // Somebody else is faster: what was seen is no longer what is there.
  await service.as("administrator", "PATCH", targeting(key, "ranking", "production"), { enabled: true });
  await dialog(page).getByLabel("Comment").fill("As tested this week.");
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await dialog(page).getByRole("heading", { name: "Result of the copy" }).waitFor();
  await dialog(page).getByText("1 APPLIED, 1 PENDING_APPROVAL, 1 SKIPPED").waitFor();

  const outcome = (name) => results(page).filter({ hasText: name });
  await outcome("Checkout").getByText("APPLIED", { exact: true }).waitFor();
  await outcome("Ranking").getByText("SKIPPED", { exact: true }).waitFor();
  await outcome("Ranking").getByText("changed since").waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?featureKey=guarded`);
  assert.equal(items[0].comment, "As tested this week.");
  assert.equal(
    await outcome("Guarded")
      .getByRole("link", { name: /^See the approval/ })
      .getAttribute("href"),
    `${at}/approvals/${items[0].id}`,
  );
  assert.equal((await service.as("readOnly", "GET", targeting(key, "checkout", "production"))).enabled, true);
  assert.deepEqual((await service.as("readOnly", "GET", targeting(key, "ranking", "production"))).enabled, true);
  const audit = await service.as("administrator", "GET", "/audit-log?limit=20");
  assert.ok(audit.items.some((entry) => JSON.stringify(entry).includes("As tested this week.")));
});

test("after a copy the comparison refreshes", async () => {
  const page = await open(admin, "productionEditor", await project(admin));
  await ask(page, ["Checkout", "Guarded"]);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Done" }).press("Enter");
  await row(page, "Checkout").waitFor({ state: "detached" });
  await page.getByText(`${COUNTS.different - 1} different`, { exact: true }).waitFor();
  await page.getByText(`${COUNTS.identical + 1} identical`, { exact: true }).waitFor();
  // What waits now cannot be copied, and nothing is selected any more.
  await row(page, "Guarded").getByRole("button", { name: "Cannot copy" }).waitFor();
  await bar(page).getByText("None selected").waitFor();
});

test("settings that are not selected keep the target's values, and what then does not differ is skipped", async () => {
  const { key, at } = await project(admin);
  const page = await open(admin, "administrator", { at });
  await setting(page, "Targeting rules").press("Space");
  await setting(page, "Off variant").press("Space");
  await ask(page, ["Lane", "Ranking"]);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await results(page).filter({ hasText: "Ranking" }).getByText("SKIPPED", { exact: true }).waitFor();
  await results(page).filter({ hasText: "Lane" }).getByText("APPLIED", { exact: true }).waitFor();
  const { enabled, offVariantKey, rules } = await service.as("readOnly", "GET", targeting(key, "lane", "production"));
  assert.deepEqual(
    { enabled, offVariantKey, rules: rules[0].name },
    { enabled: true, offVariantKey: "off", rules: "Everybody" },
  );
});

test("a copy whose answer was lost is sent again and done once", async () => {
  const { at } = await project(admin);
  const page = await open(admin, "productionEditor", { at });
  await ask(page, ["Checkout"]);
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
  await dialog(page).getByText("what you entered is still here").waitFor();
  assert.equal(await dialog(page).getByLabel("Comment").inputValue(), "Once.");
  await send.press("Enter");
  // Without its key it would have been skipped as a target that has changed.
  await results(page).getByText("APPLIED", { exact: true }).waitFor();
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_/);
});

test("read-only users compare and cannot copy; copying into production takes the production editor", async () => {
  const { at } = await project(admin);
  const mayCopy = {
    administrator: { qa: true, production: true },
    productionEditor: { qa: true, production: true },
    editor: { qa: true, production: false },
    readOnly: { qa: false, production: false },
  };
  for (const role of ROLES) {
    for (const [target, may] of Object.entries(mayCopy[role])) {
      const page = await open(admin, role, { at }, `compare?source=staging&target=${target}`);
      await row(page, "Checkout").waitFor();
      assert.equal(await bar(page).isVisible(), may, `${role} into ${target}`);
      assert.equal((await page.getByRole("checkbox").count()) > 0, may, `${role} into ${target}`);
      const told = {
        readOnly: "You can compare and not copy: your role is Read-only.",
        editor:
          "You cannot copy into Production: copying into a production environment takes the role Production editor, and yours is Editor.",
      };
      assert.equal((await page.getByRole("note").allInnerTexts()).join(""), may ? "" : told[role]);
      await page.context().close();
    }
  }
});

test("an editor copies into an environment that is not production", async () => {
  const { key, at } = await project(admin);
  const page = await open(admin, "editor", { at }, "compare?source=staging&target=qa");
  await ask(page, ["Checkout"]);
  assert.equal(await dialog(page).getByText("production environment").count(), 0);
  await dialog(page).getByRole("button", { name: "Copy to QA" }).press("Enter");
  await results(page).getByText("APPLIED", { exact: true }).waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "checkout", "qa"))).enabled, true);
});

test("a copy works by keyboard alone", async () => {
  const { at } = await project(admin);
  const page = await open(admin, "productionEditor", { at });
  await keyTo(page, page.getByRole("searchbox", { name: "Find a feature" }));
  await page.keyboard.type("e");
  await keyTo(page, page.getByRole("checkbox", { name: "Select all" }));
  await keyTo(page, tick(page, "Banner"));
  await keyTo(page, tick(page, "Guarded"), "ArrowDown");
  await page.keyboard.press("Space");
  await keyTo(page, setting(page, "Off variant"));
  await page.keyboard.press("Space");
  await keyTo(page, bar(page).getByRole("button", { name: "Request approval" }));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await keyTo(page, dialog(page).getByRole("button", { name: "Request approval" }));
  await page.keyboard.press("Enter");
  await results(page).getByText("PENDING_APPROVAL", { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Done");
  await keyTo(page, results(page).getByRole("link"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${at}/approvals/*`);
});

test("when the session has ended, one signs in over the confirmation, and the copy goes on with its comment", async () => {
  const { at } = await project(admin);
  const page = await open(admin, "productionEditor", { at });
  await ask(page, ["Guarded"]);
  await dialog(page).getByLabel("Comment").fill("Typed before the end.");
  await page.context().clearCookies();
  await dialog(page).getByRole("button", { name: "Request approval" }).press("Enter");
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByLabel("Personal access token").fill(service.tokenOf("productionEditor"));
  await ended.getByRole("button", { name: "Sign in and go on" }).click();
  await results(page).getByText("PENDING_APPROVAL", { exact: true }).waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?featureKey=guarded`);
  assert.equal(items[0].comment, "Typed before the end.");
  for (const text of page.wrongs.splice(0)) assert.match(text, /401/);
});
