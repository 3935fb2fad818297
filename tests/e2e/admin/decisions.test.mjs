// Approval requests: approved, rejected and cancelled, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { expectComplaint, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import { pressUntilFocused } from "../../support/admin/comparison.mjs";
import { targetingPath } from "../../support/admin/release.mjs";
import {
  commentsSection,
  createProject,
  decide,
  dialog,
  fact,
  openRequest,
  requestChange,
  requestSection,
} from "../../support/admin/requests.mjs";
import { row } from "../../support/admin/rows.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("approving applies the change, and links to the targeting", async () => {
  const { key, at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await page.getByRole("navigation").getByText("1 pending").waitFor();
  await requestSection(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByText("Production is a production environment. Users get the change immediately.").waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Back");
  await dialog(page).getByLabel("Comment").fill("Looks right.");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Approved and applied. View").waitFor();
  await commentsSection(page).getByText("Looks right.").waitFor();
  await fact(page, "Approved").getByText("Alma Lindqvist").waitFor();
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "waiting", "production"))).enabled, true);
  await page.getByRole("navigation").getByText("1 pending").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "View Waiting in Production" }).press("Enter");
  await page.waitForURL(`**${at}/features/waiting/environments/production`);
});

test("people cannot approve their own request, and the page says so", async () => {
  const { at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "productionEditor", `${at}/approvals/${waiting.id}`);
  await page.getByText("You requested this change, so another person must decide on it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve…" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Reject…" }).count(), 0);
  await page.getByRole("button", { name: "Cancel change…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Cancel change" }).press("Enter");
  await page.locator("#content").getByText("Cancelled. The change was not applied.").waitFor();
  const { state } = await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`);
  assert.equal(state, "cancelled");
});

test("rejecting changes nothing, and keeps the comment", async () => {
  const { key, at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await requestSection(page).getByRole("button", { name: "Reject…" }).press("Enter");
  await dialog(page).getByLabel("Comment").fill("Not before Monday.");
  await dialog(page).getByRole("button", { name: "Reject" }).press("Enter");
  await page.locator("#content").getByText("Rejected. The change was not applied.").waitFor();
  await commentsSection(page).getByText("Not before Monday.").waitFor();
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "waiting", "production"))).enabled, false);
});

test("each role sees the actions that it is allowed, and why it lacks the others", async () => {
  const { key, at, waiting } = await createProject(admin);
  const editors = await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  const offered = {
    administrator: {
      waiting: ["Approve…", "Reject…", "Cancel change…"],
      editors: ["Approve…", "Reject…", "Cancel change…"],
    },
    productionEditor: { waiting: ["Cancel change…"], editors: ["Approve…", "Reject…"] },
    editor: { waiting: [], editors: ["Cancel change…"] },
    readOnly: { waiting: [], editors: [] },
  };
  const reasons = {
    administrator: [undefined, undefined],
    productionEditor: ["You requested this change", undefined],
    editor: ["Deciding on changes in production requires the production editor role", "You requested this change"],
    readOnly: ["Deciding on changes requires the editor role", "Deciding on changes requires the editor role"],
  };
  for (const role of ROLES) {
    for (const [index, [name, approval]] of Object.entries({ waiting, editors }).entries()) {
      const page = await openRequest(admin, role, `${at}/approvals/${approval.id}`);
      if (reasons[role][index]) await page.locator(".banner").getByText(reasons[role][index]).waitFor();
      assert.deepEqual(
        await requestSection(page).getByRole("button").allInnerTexts(),
        offered[role][name],
        `${role}, ${name}`,
      );
      assert.equal(await commentsSection(page).getByLabel("Your comment").isVisible(), role !== "readOnly", role);
      await page.context().close();
    }
  }
});

test("approving a request that became stale fails, and shows it as stale with the reason", async () => {
  const { key, at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { approvalRequired: false });
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  await requestSection(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Stale: the change was not applied").waitFor();
  expectComplaint(page, /409/);
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "waiting", "production"))).enabled, false);
});

test("a decision that someone else made first is shown", async () => {
  const { at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await requestSection(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await decide(admin, "productionEditor", at, waiting, "cancel");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.locator(".toasts").getByText("Your decision was not saved.").waitFor();
  await page.locator("#content").getByText("Cancelled. The change was not applied.").waitFor();
  expectComplaint(page, /409/);
});

test("a request is found, discussed and approved with the keyboard only", async () => {
  const { key, at } = await createProject(admin);
  const page = await admin.as("administrator", `${at}/approvals`);
  await row(page, "Waiting").waitFor();
  await pressUntilFocused(page, page.getByRole("radio", { name: "Pending" }));
  await page.keyboard.press("ArrowRight");
  await page.getByText("No scheduled requests").waitFor();
  await page.keyboard.press("ArrowLeft");
  await row(page, "Waiting").waitFor();
  await pressUntilFocused(page, page.getByRole("link", { name: "Waiting", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Before" }).waitFor();
  await pressUntilFocused(page, requestSection(page).getByRole("button", { name: "Approve…" }));
  await pressUntilFocused(page, commentsSection(page).getByLabel("Your comment"));
  await page.keyboard.type("Fine.");
  await pressUntilFocused(page, commentsSection(page).getByRole("button", { name: "Comment" }));
  await page.keyboard.press("Enter");
  await commentsSection(page).getByRole("listitem").getByText("Fine.").waitFor();
  await page.reload();
  await page.getByRole("region", { name: "Before" }).waitFor();
  await pressUntilFocused(page, requestSection(page).getByRole("button", { name: "Approve…" }));
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await pressUntilFocused(page, dialog(page).getByRole("button", { name: "Approve for Production" }));
  await page.keyboard.press("Enter");
  await page.getByText("Approved and applied. View").waitFor();
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "waiting", "production"))).enabled, true);
});
