// Where the focus is after what a person does with the keyboard: never lost, for a screen reader then loses its place.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { escapeDialog, hold, holdWrites, startAdmin } from "../../support/admin/admin.mjs";
import { holdFrames } from "../../support/admin/frames.mjs";
import {
  commentsSection,
  createProject,
  dialog,
  openRequest,
  requestChange,
  requestSection,
} from "../../support/admin/requests.mjs";
import { switchOf } from "../../support/admin/rows.mjs";
import { createFeature, rule, targeting } from "../../support/admin/targetings.mjs";

const SHOP = "/projects/shop";
const FEATURES = `${SHOP}/features`;

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

const button = (within, name) => within.getByRole("button", { name, exact: true });
const title = (page) => page.getByRole("main").getByRole("heading", { level: 1 });
const status = (page) => page.locator(".toasts");

/** Waits until this element has the focus. */
async function hasFocus(locator) {
  const element = await locator.elementHandle();
  await locator.page().waitForFunction((one) => document.activeElement === one, element);
}

/** Waits until an element within this one has the focus. */
async function hasFocusWithin(locator) {
  const element = await locator.elementHandle();
  await locator.page().waitForFunction((one) => one.contains(document.activeElement), element);
}

test("a dialog that was opened from a menu returns the focus to the button of the menu", async () => {
  const page = await admin.as("administrator", "/users");
  const actions = button(page, "Actions for Alma Lindqvist");
  const edit = page.getByRole("menuitem", { name: "Edit…" });
  const form = page.getByRole("dialog", { name: "Edit person" });
  for (const [open, choose] of [
    [() => actions.press("Enter"), () => edit.press("Enter")],
    [() => actions.press("Space"), () => edit.press("Space")],
    [() => actions.click(), () => edit.click()],
  ]) {
    await open();
    await choose();
    await form.waitFor();
    await escapeDialog(page);
    await form.waitFor({ state: "detached" });
    await hasFocus(actions);
  }
});

test("a switch keeps the focus while it is turned, and is turned once at a time", async () => {
  const page = await admin.as("editor", FEATURES);
  const control = switchOf(page, "Search suggestions", "Staging");
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "PATCH") sent += 1;
  });
  const send = await holdWrites(page);
  await control.press("Space");
  await control.and(page.locator(":not(:checked)")).waitFor();
  await page.keyboard.press("Space");
  await hasFocus(control);
  send();
  await status(page).getByText("Search suggestions in Staging is off.").waitFor();
  assert.equal(sent, 1);
  await page.keyboard.press("Space");
  await status(page).getByText("Search suggestions in Staging is on.").waitFor();
  await hasFocus(control);
});

for (const { what, list, link, read } of [
  {
    what: "a request",
    list: async () => `${(await createProject(admin)).at}/approvals`,
    link: "Waiting",
    read: "**/approvals/*",
  },
  {
    what: "an experiment",
    list: () => `${SHOP}/experiments`,
    link: "Colour of the banner",
    read: "**/experiments/*",
  },
]) {
  test(`the title of ${what} has the focus while it loads, and then that of what was loaded`, async () => {
    const page = await admin.as("administrator", await list());
    const release = await hold(page, read);
    await page.getByRole("table").getByRole("link", { name: link, exact: true }).first().press("Enter");
    await page.locator("main [aria-busy=true]").waitFor();
    await hasFocus(title(page));
    release();
    await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
    await hasFocus(title(page));
  });
}

test("after a new token was shown, the focus is where it was created; after one was revoked, it is near it", async () => {
  const page = await admin.as("administrator", "/tokens");
  await button(page, "New token").press("Enter");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Laptop");
  await button(page, "Create token").press("Enter");
  await button(page, "I've copied it").press("Enter");
  await hasFocus(button(page, "New token"));

  const revoke = button(page, "Revoke Laptop of Alma Lindqvist");
  await revoke.press("Enter");
  await button(page, "Revoke token").press("Enter");
  await revoke.waitFor({ state: "detached" });
  await hasFocusWithin(page.getByRole("table"));
});

test("after a change was discarded or saved, the focus is on the title of the page", async () => {
  const path = await createFeature(admin.service, "saved", { targeting: targeting([rule("A")]) });
  const page = await admin.as("editor", path);
  const name = page.getByRole("textbox", { name: "Name of rule 1" });
  await name.fill("B");
  await button(page, "Discard").press("Enter");
  await hasFocus(title(page));
  await button(page, "Undo").press("Enter");
  await hasFocusWithin(page.getByRole("main"));
  await button(page, "Review and save…").press("Enter");
  await button(page.getByRole("dialog"), "Save to Staging").press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await hasFocus(title(page));
});

test("a comment leaves the focus on its button and is announced; a decision leaves it in the section of the request", async () => {
  const { key, at } = await createProject(admin);
  const { id } = await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  const page = await openRequest(admin, "productionEditor", `${at}/approvals/${id}`);
  const comments = commentsSection(page);
  await comments.getByLabel("Your comment").fill("Looks good.");
  await button(comments, "Comment").press("Enter");
  await comments.getByRole("status").getByText("Comment added").waitFor();
  await hasFocus(button(comments, "Comment"));
  assert.equal(await button(comments, "Comment").getAttribute("aria-disabled"), "true");

  const approve = /^Approve/;
  await requestSection(page).getByRole("button", { name: approve }).press("Enter");
  await dialog(page).getByRole("button", { name: approve }).press("Enter");
  await requestSection(page).getByRole("button", { name: approve }).waitFor({ state: "detached" });
  await hasFocusWithin(requestSection(page));
});

test("the selection is cleared, and the focus is on the first checkbox; after a bulk change, on the title", async () => {
  const page = await admin.as("editor", `${FEATURES}?search=gift`);
  await page.getByRole("checkbox", { name: "Select Gift cards" }).press("Space");
  await button(page, "Clear").press("Enter");
  await hasFocus(page.getByRole("checkbox", { name: "Select all" }));
  await page.keyboard.press("Space");
  await button(page, "Tags…").press("Enter");
  await dialog(page).getByRole("textbox").fill("present,");
  await button(dialog(page), "Save").press("Enter");
  await button(dialog(page), "Done").press("Enter");
  await hasFocus(title(page));
});

test("what removes its own row leaves the focus at the next row, and Clear filters on the title", async () => {
  const page = await admin.as("editor", FEATURES);
  const star = (name) => button(page, `Favourite: ${name}`);
  for (const name of ["Gift cards", "Reviews", "Winter sale"]) {
    await star(name).press("Space");
    await page.locator(`[aria-label="Favourite: ${name}"][aria-pressed=true]`).waitFor();
  }
  const rows = (count) => page.locator(`[role=table][aria-rowcount="${1 + count}"]`).waitFor();
  await button(page, "Favourites").press("Space");
  await rows(3);
  await star("Gift cards").press("Space");
  await rows(2);
  await hasFocus(page.getByRole("checkbox", { name: "Select Reviews" }));

  // The list is filtered while the star has the focus: what is before its row is removed.
  await button(page, "Favourites").press("Space");
  await star("Gift cards").waitFor();
  await star("Reviews").focus();
  await button(page, "Favourites").dispatchEvent("click");
  await rows(2);
  await star("Reviews").press("Space");
  await rows(1);
  await hasFocus(page.getByRole("checkbox", { name: "Select Winter sale" }));

  await page.getByRole("searchbox", { name: "Search features" }).fill("no such feature");
  await button(page, "Clear filters").last().press("Enter");
  await hasFocusWithin(page.getByRole("main"));
});

test("the settings of an environment keep the focus on Save and Discard, which have nothing left to do", async () => {
  const page = await admin.as("administrator", `${SHOP}/environments/staging`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Stage");
  await button(page, "Discard").press("Enter");
  await page.waitForFunction(() => document.activeElement.ariaDisabled === "true");
  await hasFocus(button(page, "Discard"));
  assert.equal(await name.inputValue(), "Staging");
  await page.keyboard.press("Tab");
  await page.locator("button:disabled", { hasText: "Discard" }).waitFor();

  await name.fill("Stage");
  await button(page, "Save").press("Enter");
  await status(page).getByText("Stage was saved.").waitFor();
  await page.waitForFunction(() => document.activeElement.ariaDisabled === "true");
  await hasFocus(button(page, "Save"));
  // Nothing is sent again.
  await page.keyboard.press("Enter");
  assert.equal(await button(page, "Save").locator(".button-spinner").count(), 0);
});

test("in the rule editor the focus goes to what is added, and to the neighbour of what is removed", async () => {
  const path = await createFeature(admin.service, "edited", { targeting: targeting([]) });
  const page = await admin.as("editor", path);
  await button(page, "Serve on to everyone").press("Enter");
  await hasFocus(page.getByRole("button", { name: /^Move rule 1/ }).first());

  await page.getByRole("button", { name: /If user is in/ }).press("Enter");
  await page.getByRole("option", { name: /^Users matching conditions/ }).press("Enter");
  const attribute = (number) =>
    page.getByRole("group", { name: `Condition ${number} of rule 1` }).getByRole("combobox");
  await button(page, "Add condition").press("Enter");
  await hasFocus(attribute(2));
  // The suggestions, which hide the rest of the page, close.
  await page.keyboard.press("Tab");
  await button(page, "Remove condition 2 of rule 1").press("Enter");
  await hasFocus(button(page, "Remove condition 1 of rule 1"));
  await button(page, "Remove condition 1 of rule 1").press("Enter");
  await hasFocus(button(page, "Add condition"));

  await button(page, "Add variant").press("Enter");
  await hasFocus(page.getByRole("button", { name: /Variant 2/ }));
  await button(page, "Remove off").press("Enter");
  await hasFocus(page.getByRole("button", { name: /Variant 1/ }));

  const preview = page.getByRole("region", { name: "Test a user" });
  await button(preview, "Add attribute").press("Enter");
  await hasFocus(preview.getByRole("combobox"));
  await page.keyboard.press("Tab");
  await button(preview, "Remove attribute 1").press("Enter");
  await hasFocus(button(preview, "Add attribute"));
});

test("a new variant does not take the focus from the field that was chosen since", async () => {
  const path = await createFeature(admin.service, "fast", { targeting: targeting([rule("Split", { on: 100 })]) });
  const page = await admin.as("editor", path);
  await button(page, "Add variant").focus();
  const releaseFrames = await holdFrames(page);
  await page.keyboard.press("Enter");
  const percentage = page.getByLabel("Percentage for on");
  await percentage.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("12");
  await releaseFrames();
  await page.keyboard.type(".5");
  assert.equal(await percentage.inputValue(), "12.5");
});

test("in the dialog of a pipeline the focus goes to what is added, and to the neighbour of what is removed", async () => {
  const phases = [{ name: "Build", environmentKey: "development", approvalRequired: false }];
  await admin.service.as("administrator", "POST", `${SHOP}/pipelines`, { key: "short", name: "Short", phases });
  const page = await admin.as("administrator", `${SHOP}/pipelines/short`);
  await button(page, "Edit…").press("Enter");
  const add = button(page, "Add phase");
  const name = page.getByRole("dialog").getByLabel("Phase", { exact: true });
  // The last one disables the button.
  for (const count of [2, 3, 4]) {
    await add.press("Enter");
    await name.nth(count - 1).waitFor();
    await hasFocus(name.last());
  }
  await add.and(page.locator(":disabled")).waitFor();
  const remove = page.getByRole("dialog").getByRole("button", { name: /^Remove/ });
  await remove.last().press("Enter");
  await name.nth(3).waitFor({ state: "detached" });
  await hasFocus(remove.last());
});

test("features move through a pipeline, and the focus stays in its phase", async () => {
  const phases = ["development", "staging"].map((key) => ({ name: key, environmentKey: key, approvalRequired: false }));
  await admin.service.as("administrator", "POST", `${SHOP}/pipelines`, { key: "moves", name: "Moves", phases });
  for (const name of ["First", "Second"]) {
    await createFeature(admin.service, name.toLowerCase(), { name });
    await admin.service.as("administrator", "PATCH", `${FEATURES}/${name.toLowerCase()}`, { pipelineKey: "moves" });
  }
  const page = await admin.as("administrator", `${SHOP}/pipelines/moves`);
  const move = button(page, "Move to staging: First");
  await move.press("Enter");
  await move.waitFor({ state: "detached" });
  await hasFocusWithin(page.getByRole("listitem", { name: "development" }));
  await button(page, "Actions for Second").press("Enter");
  await page.getByRole("menuitem", { name: "Remove from pipeline…" }).press("Enter");
  await button(page, "Remove").press("Enter");
  await button(page, "Actions for Second").waitFor({ state: "detached" });
  await hasFocusWithin(page.getByRole("listitem", { name: "development" }));
});

test("buttons that repeat in a list have names of their own", async () => {
  const path = await createFeature(admin.service, "named", { targeting: targeting([rule("A")]) });
  const page = await admin.as("administrator", "/audit-log");
  await page
    .getByRole("button", { name: /^Before and after, .+, \d/ })
    .first()
    .waitFor();
  await page.goto(path);
  const history = page.getByRole("region", { name: "History" });
  await history
    .getByText(/^Before and after, /)
    .first()
    .waitFor();
});
