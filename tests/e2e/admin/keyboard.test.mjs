// Where the focus is after what a person does with the keyboard: never lost, for a screen reader then loses its place.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { escapeDialog, hold, holdWrites, startAdmin } from "../../support/admin/admin.mjs";
import { createProject } from "../../support/admin/requests.mjs";
import { switchOf } from "../../support/admin/rows.mjs";

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
  test(`the title of ${what} is the same element while it loads, and keeps the focus`, async () => {
    const page = await admin.as("administrator", await list());
    const release = await hold(page, read);
    await page.getByRole("table").getByRole("link", { name: link, exact: true }).first().press("Enter");
    await page.locator("main [aria-busy=true]").waitFor();
    await hasFocus(title(page));
    const loading = await title(page).elementHandle();
    release();
    await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
    assert.ok(await loading.evaluate((heading) => heading.isConnected && heading === document.activeElement));
  });
}
