// Changes that wait for approval: approved, rejected and cancelled, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { expectComplaint, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import { keyTo } from "../../support/admin/comparison.mjs";
import { targeting } from "../../support/admin/release.mjs";
import { ask, comments, decide, dialog, fact, open, project, request, row } from "../../support/admin/requests.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("approving makes the change, and leads to the feature's environment", async () => {
  const { key, at, waiting } = await project(admin);
  const page = await open(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await page.getByRole("navigation").getByText("1 pending").waitFor();
  await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByText("Production is a production environment: its users notice at once.").waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Back");
  await dialog(page).getByLabel("Comment").fill("Looks right.");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Approved, and the change was made. See").waitFor();
  await comments(page).getByText("Looks right.").waitFor();
  await fact(page, "Approved").getByText("Alma Lindqvist").waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, true);
  await page.getByRole("navigation").getByText("1 pending").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "See Waiting in Production" }).press("Enter");
  await page.waitForURL(`**${at}/features/waiting/environments/production`);
});

test("one's own request cannot be approved, and the page says so", async () => {
  const { at, waiting } = await project(admin);
  const page = await open(admin, "productionEditor", `${at}/approvals/${waiting.id}`);
  await page.getByText("You asked for this change, so somebody else has to decide on it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve…" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Reject…" }).count(), 0);
  await page.getByRole("button", { name: "Cancel the request…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Cancel the request" }).press("Enter");
  await page.getByText("Cancelled: the request was taken back.").waitFor();
  const { state } = await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`);
  assert.equal(state, "cancelled");
});

test("rejecting changes nothing, and says why", async () => {
  const { key, at, waiting } = await project(admin);
  const page = await open(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await request(page).getByRole("button", { name: "Reject…" }).press("Enter");
  await dialog(page).getByLabel("Comment").fill("Not before Monday.");
  await dialog(page).getByRole("button", { name: "Reject" }).press("Enter");
  await page.getByText("Rejected: the change was not made.").waitFor();
  await comments(page).getByText("Not before Monday.").waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, false);
});

test("each role is offered what it may do, and told why not the rest", async () => {
  const { key, at, waiting } = await project(admin);
  const editors = await ask(admin, "editor", key, "guarded", "qa", { enabled: true });
  const offered = {
    administrator: {
      waiting: ["Approve…", "Reject…", "Cancel the request…"],
      editors: ["Approve…", "Reject…", "Cancel the request…"],
    },
    productionEditor: { waiting: ["Cancel the request…"], editors: ["Approve…", "Reject…"] },
    editor: { waiting: [], editors: ["Cancel the request…"] },
    readOnly: { waiting: [], editors: [] },
  };
  const told = {
    administrator: [undefined, undefined],
    productionEditor: ["You asked for this change", undefined],
    editor: [
      "Deciding on a change of a production environment takes the role Production editor",
      "You asked for this change",
    ],
    readOnly: ["Deciding on changes takes the role Editor", "Deciding on changes takes the role Editor"],
  };
  for (const role of ROLES) {
    for (const [index, [name, approval]] of Object.entries({ waiting, editors }).entries()) {
      const page = await open(admin, role, `${at}/approvals/${approval.id}`);
      if (told[role][index]) await page.locator(".banner").getByText(told[role][index]).waitFor();
      assert.deepEqual(
        await request(page).getByRole("button").allInnerTexts(),
        offered[role][name],
        `${role}, ${name}`,
      );
      assert.equal(await comments(page).getByLabel("Your comment").isVisible(), role !== "readOnly", role);
      await page.context().close();
    }
  }
});

test("a request that became stale while it was read fails with why, and is shown as stale", async () => {
  const { key, at, waiting } = await project(admin);
  const page = await open(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Stale: it was not made").waitFor();
  expectComplaint(page, /409/);
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, false);
});

test("what somebody else decided first is told, and shown", async () => {
  const { at, waiting } = await project(admin);
  const page = await open(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await decide(admin, "productionEditor", at, waiting, "cancel");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.getByText("Cancelled: the request was taken back.").waitFor();
  await page.locator(".toasts").getByText("This was not done.").waitFor();
  expectComplaint(page, /409/);
});

test("a request is found, discussed and approved by keyboard alone", async () => {
  const { key, at } = await project(admin);
  const page = await admin.as("administrator", `${at}/approvals`);
  await row(page, "Waiting").waitFor();
  await keyTo(page, page.getByRole("radio", { name: "Pending" }));
  await page.keyboard.press("ArrowRight");
  await page.getByText("No approved request").waitFor();
  await page.keyboard.press("ArrowLeft");
  await row(page, "Waiting").waitFor();
  await keyTo(page, page.getByRole("link", { name: "Waiting", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Before" }).waitFor();
  await keyTo(page, request(page).getByRole("button", { name: "Approve…" }));
  await keyTo(page, comments(page).getByLabel("Your comment"));
  await page.keyboard.type("Fine.");
  await keyTo(page, comments(page).getByRole("button", { name: "Comment" }));
  await page.keyboard.press("Enter");
  await comments(page).getByRole("listitem").getByText("Fine.").waitFor();
  await page.reload();
  await page.getByRole("region", { name: "Before" }).waitFor();
  await keyTo(page, request(page).getByRole("button", { name: "Approve…" }));
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await keyTo(page, dialog(page).getByRole("button", { name: "Approve for Production" }));
  await page.keyboard.press("Enter");
  await page.getByText("Approved, and the change was made. See").waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "waiting", "production"))).enabled, true);
});
