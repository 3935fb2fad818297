// Decisions on several requests at once, in a project and in the inbox over all projects.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { pressUntilFocused } from "../../support/admin/comparison.mjs";
import { targetingPath } from "../../support/admin/release.mjs";
import { createProject, decide, dialog, requestChange } from "../../support/admin/requests.mjs";
import { row, shownTexts } from "../../support/admin/rows.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const selectionBar = (page) => page.getByRole("region", { name: "Selected requests" });
const results = (page) => shownTexts(dialog(page).getByRole("list", { name: "Results" }).getByRole("listitem"));
const select = (page, name) => page.getByRole("checkbox", { name: `Select ${name}` });
/** The checkbox itself is invisible; Space toggles it. */
const toggle = (page, name) => select(page, name).press("Space");
const isEnabled = async (key, feature, environment) =>
  (await service.as("readOnly", "GET", targetingPath(key, feature, environment))).enabled;

test("several requests are approved at once, with one comment; each has its own answer", async () => {
  const { key, at, waiting } = await createProject(admin);
  const inQa = await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  await requestChange(admin, "editor", key, "guarded", "staging", { enabled: false });
  const page = await admin.as("administrator", `${at}/approvals`);
  await row(page, "Waiting").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await selectionBar(page).getByText("3 selected").waitFor();
  await selectionBar(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByText("One is in production. Users get this change immediately.").waitFor();
  await dialog(page).getByLabel("Comment").fill("Ship them.");
  // One becomes stale while the dialog is open.
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { approvalRequired: false });
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  await dialog(page).getByRole("button", { name: "Approve 3 requests" }).press("Enter");
  await dialog(page).getByText("2 requests approved and applied, 1 request refused.").waitFor();
  expectComplaint(page, /409/);
  assert.deepEqual(
    (await results(page)).map((one) => one.replace(/archived.*$/, "archived …")),
    [
      "Guarded in Staging Applied",
      "Guarded in QA Applied",
      "Waiting in Production Not applied The feature is archived …", //
    ],
  );
  await axeFindsNothing(page);
  await dialog(page).getByRole("button", { name: "Done" }).press("Enter");
  await page.getByText("No pending requests").waitFor();
  assert.equal(await isEnabled(key, "guarded", "qa"), true);
  assert.equal(await isEnabled(key, "guarded", "staging"), false);
  assert.equal(await isEnabled(key, "waiting", "production"), false);
  const decided = await service.as("readOnly", "GET", `${at}/approvals/${inQa.id}`);
  assert.deepEqual([decided.state, decided.comments.map(({ text }) => text)], ["approved", ["Ship them."]]);
  assert.equal((await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`)).state, "stale");
});

test("what one copy requests is one row, and is decided at once; its requests are listed behind it", async () => {
  const { key, at } = await createProject(admin, { approvalRequired: true });
  const names = ["lane", "guarded"];
  await service.as("productionEditor", "POST", `${at}/environments/copy`, {
    ...{ source: "staging", target: "production", featureKeys: names, settings: { enabled: true } },
    comment: "As tested",
  });
  for (const address of [`${at}/approvals`, `/approvals?search=${key}`]) {
    const page = await admin.as("administrator", address);
    await row(page, "2 features").getByText("Guarded, Lane").waitFor();
    await row(page, "2 features").getByText("Copy from Staging").waitFor();
    await row(page, "2 features").getByRole("link", { name: "2 features" }).press("Enter");
    await page.getByText("Only the requests of one copy.").waitFor();
    for (const name of ["Lane", "Guarded"]) await row(page, name).waitFor();
    assert.equal(await row(page, "Waiting").count(), 0);
  }
  const page = await admin.as("administrator", `${at}/approvals`);
  await row(page, "2 features").waitFor();
  await toggle(page, "2 features in Production");
  await selectionBar(page).getByText("2 selected").waitFor();
  await selectionBar(page).getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Approve 2 requests" }).press("Enter");
  await dialog(page).getByText("2 requests approved and applied.").waitFor();
  for (const name of names) assert.equal(await isEnabled(key, name, "production"), true, name);
});

test("several requests are rejected at once; what the search hides stays selected, and is counted", async () => {
  const { key, at, waiting } = await createProject(admin);
  await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  const page = await admin.as("administrator", `${at}/approvals`);
  await row(page, "Waiting").waitFor();
  await toggle(page, "Waiting in Production");
  await toggle(page, "Guarded in QA");
  await page.getByRole("searchbox", { name: "Search requests" }).fill("guarded");
  await row(page, "Waiting").waitFor({ state: "detached" });
  await selectionBar(page).getByText("2 selected, 1 hidden by the filter").waitFor();
  await selectionBar(page).getByRole("button", { name: "Reject…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Reject 2 requests" }).press("Enter");
  await dialog(page).getByText("2 requests rejected.").waitFor();
  await dialog(page).getByRole("button", { name: "Done" }).press("Enter");
  await selectionBar(page).waitFor({ state: "detached" });
  assert.equal((await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`)).state, "rejected");
  assert.equal(await isEnabled(key, "guarded", "qa"), false);
});

test("nobody can select a request of their own, or one that they have no right to decide on", async () => {
  const { key, at } = await createProject(admin);
  await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  for (const [role, ofProduction, ofEditor] of [
    ["administrator", true, true],
    ["productionEditor", false, true],
    ["editor", false, false],
  ]) {
    const page = await admin.as(role, `${at}/approvals`);
    await row(page, "Waiting").waitFor();
    const enabled = [select(page, "Waiting in Production"), select(page, "Guarded in QA")].map((box) =>
      box.isEnabled(),
    );
    assert.deepEqual(await Promise.all(enabled), [ofProduction, ofEditor], role);
  }
  const page = await admin.as("readOnly", `${at}/approvals`);
  await row(page, "Waiting").waitFor();
  assert.equal(await page.getByRole("checkbox").count(), 0);
});

test("the inbox lists what waits for the person's decision in all projects, and the navigation counts it", async () => {
  const [one, other] = [await createProject(admin), await createProject(admin)];
  await requestChange(admin, "editor", one.key, "guarded", "qa", { enabled: true });
  await requestChange(admin, "productionEditor", other.key, "guarded", "qa", { enabled: true });
  const inbox = {
    administrator: [
      ["Waiting", one.key],
      ["Guarded", one.key],
      ["Waiting", other.key],
      ["Guarded", other.key],
    ],
    productionEditor: [["Guarded", one.key]],
    editor: [["Guarded", other.key]],
  };
  for (const [role, expected] of Object.entries(inbox)) {
    const page = await admin.as(role, "/approvals");
    for (const [feature, key] of expected) await row(page, feature).filter({ hasText: key }).waitFor();
    const ofBoth = page.getByRole("row").filter({ hasText: new RegExp(`(${one.key}|${other.key})(?!\\d)`) });
    assert.equal(await ofBoth.count(), expected.length, role);
    const { items } = await service.as(role, "GET", "/approvals?limit=200");
    const link = page.getByRole("list", { name: "Organisation" }).getByRole("link", { name: /^Approvals/ });
    await link.getByText(`${items.length} for you`).waitFor();
  }
  const page = await admin.as("readOnly", "/approvals");
  await page.getByRole("heading", { name: "No requests for you" }).waitFor();
  await page.getByText("Deciding on requests requires the editor role").waitFor();
});

test("requests of several projects are found and approved together from the inbox, with the keyboard only", async () => {
  const [one, other] = [await createProject(admin), await createProject(admin)];
  const comment = "Spring release";
  for (const { key } of [one, other])
    await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true, comment });
  const page = await admin.as("administrator", "/approvals");
  await pressUntilFocused(page, page.getByRole("searchbox", { name: "Search requests" }));
  await page.keyboard.type("spring release");
  await page.getByRole("table", { name: "Approvals" }).and(page.locator("[aria-rowcount='3']")).waitFor();
  await pressUntilFocused(page, page.getByRole("checkbox", { name: "Select all" }));
  await page.keyboard.press("Space");
  await pressUntilFocused(page, selectionBar(page).getByRole("button", { name: "Approve…" }));
  await page.keyboard.press("Enter");
  await pressUntilFocused(page, dialog(page).getByRole("button", { name: "Approve 2 requests" }));
  await page.keyboard.press("Enter");
  await dialog(page).getByText("2 requests approved and applied.").waitFor();
  assert.deepEqual(await results(page), [
    `Guarded in QA, ${other.key} Applied`,
    `Guarded in QA, ${one.key} Applied`, //
  ]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No matching requests" }).waitFor();
  for (const { key } of [one, other]) assert.equal(await isEnabled(key, "guarded", "qa"), true);
});

test("a request in the inbox opens, and leaves it when it is decided", async () => {
  const { at, key, waiting } = await createProject(admin);
  const page = await admin.as("administrator", `/approvals?search=${key}`);
  await row(page, "Waiting").getByRole("link", { name: "Waiting" }).press("Enter");
  await page.waitForURL(`**${at}/approvals/${waiting.id}`);
  await page.getByRole("region", { name: "Before" }).waitFor();
  await decide(admin, "administrator", at, waiting, "reject");
  await page.goto("/approvals");
  await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
  await page.getByRole("searchbox", { name: "Search requests" }).fill(key);
  await page.getByRole("heading", { name: "No matching requests" }).waitFor();
});

test("axe finds no violations in the inbox and the decision on several; nothing moves while it loads, and it fits a phone", async () => {
  for (const width of [1440, 360]) {
    const { key } = await createProject(admin);
    const page = await admin.as("administrator", `/approvals?search=${key}`, { width });
    await row(page, "Waiting").waitFor();
    await page.reload();
    await row(page, "Waiting").waitFor();
    await nothingMoved(page, `inbox, ${width}`);
    await toggle(page, "Waiting in Production");
    await selectionBar(page).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    await selectionBar(page).getByRole("button", { name: "Approve…" }).press("Enter");
    await dialog(page).getByRole("button", { name: "Approve 1 request" }).waitFor();
    await axeFindsNothing(page);
  }
});
