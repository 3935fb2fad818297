// Where the focus is after what a person does with the keyboard: never lost, for a screen reader then loses its place.
import { after, afterEach, before, test } from "node:test";
import { escapeDialog, startAdmin } from "../../support/admin/admin.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

const button = (within, name) => within.getByRole("button", { name, exact: true });

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
