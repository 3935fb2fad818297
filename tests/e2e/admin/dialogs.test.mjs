// What dialogs have in common.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { escapeDialog, holdWrites, startAdmin } from "../../support/admin/admin.mjs";
import { openComparison, openCopyDialog, PAIR } from "../../support/admin/comparison.mjs";
import { createProject, requestChange } from "../../support/admin/requests.mjs";

let admin;

before(async () => {
  admin = await startAdmin([], "chromium-with-scrollbars");
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** The colours of points in a picture of the page. */
async function colours(page, points) {
  const picture = (await page.screenshot()).toString("base64");
  const decoder = await page.context().newPage();
  const found = await decoder.evaluate(
    async ({ picture, points }) => {
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
      drawing.drawImage(image, 0, 0);
      return points.map(([x, y]) => [...drawing.getImageData(x, y, 1, 1).data].slice(0, 3).join(" "));
    },
    { picture, points },
  );
  await decoder.close();
  return found;
}

for (const colorScheme of ["light", "dark"]) {
  test(`the veil of a dialog darkens the whole window, the space of the scrollbar included, in ${colorScheme}`, async () => {
    const page = await admin.as("administrator", "/projects/shop/features", { colorScheme, height: 500 });
    await page.getByRole("link", { name: "New checkout", exact: true }).waitFor();
    const { clientWidth, innerWidth } = await page.evaluate(() => ({
      clientWidth: document.documentElement.clientWidth,
      innerWidth,
    }));
    assert.ok(innerWidth - clientWidth >= 10, "A scrollbar has space of its own.");
    await page.getByRole("button", { name: "New feature" }).press("Enter");
    await page.getByRole("dialog", { name: "New feature" }).waitFor();
    const heights = [3, 250, 496];
    const beside = await colours(
      page,
      heights.map((y) => [clientWidth - 4, y]),
    );
    const strip = await colours(
      page,
      heights.map((y) => [innerWidth - 4, y]),
    );
    assert.deepEqual(strip, beside);
  });
}

const SHOP = "/projects/shop";

/** Tries every way to close the dialog that sends: Escape, a click beside it, ✕, Cancel. */
async function tryToClose(page, dialog) {
  await dialog.locator(".button-pending").waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.click(4, 4);
  assert.equal(await dialog.getByRole("button", { name: "Close" }).isDisabled(), true, "Close");
  assert.equal(await dialog.getByRole("button", { name: /^(Cancel|Back)$/ }).isDisabled(), true, "Cancel");
}

/** What is in a dialog, the address, how it gets to its request, and the dialog that shows the answer. */
const SECRETS = [
  {
    what: "a new token",
    address: "/tokens",
    open: (page) => page.getByRole("button", { name: "New token" }).press("Enter"),
    fill: (dialog) => dialog.getByLabel("Name", { exact: true }).fill("While it is created"),
    submit: "Create token",
    shown: "Token created",
  },
  {
    what: "a new server key",
    address: `${SHOP}/environments/staging`,
    open: (page) => page.getByRole("button", { name: "New server key" }).press("Enter"),
    fill: (dialog) => dialog.getByLabel("Name", { exact: true }).fill("While it is created"),
    submit: "Create key",
    shown: "Server key created",
  },
  {
    what: "a rotated edge key",
    prepare: (service) => service.as("administrator", "POST", `${SHOP}/edge-keys`, { name: "Turned" }),
    address: `${SHOP}/environments`,
    open: async (page) => {
      await page.getByRole("button", { name: "Actions for Turned" }).press("Enter");
      await page.getByRole("menuitem", { name: "Rotate…" }).press("Enter");
    },
    submit: "Create new key",
    shown: "Edge key created",
  },
  {
    what: "a new signing secret",
    prepare: (service) =>
      service.as("administrator", "POST", "/admin/integrations/outbound", {
        type: "webhook",
        enabled: false,
        configuration: { webhook: { url: "https://hooks.example/4711" } },
      }),
    address: "/integrations",
    open: async (page) => {
      await page.getByRole("button", { name: /^Actions for Webhook/ }).press("Enter");
      await page.getByRole("menuitem", { name: "Replace signing secret…" }).press("Enter");
    },
    submit: "Replace secret",
    shown: "Signing secret",
  },
];

for (const { what, prepare, address, open, fill, submit, shown } of SECRETS) {
  test(`the dialog stays open until it can show ${what}, and sends once`, async () => {
    await prepare?.(admin.service);
    const page = await admin.as("administrator", address);
    await open(page);
    const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await fill?.(dialog);
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") sent += 1;
    });
    const send = await holdWrites(page);
    await dialog.getByRole("button", { name: submit }).press("Enter");
    await tryToClose(page, dialog);
    if (fill) await dialog.getByLabel("Name", { exact: true }).press("Enter");
    send();
    await page.getByRole("dialog", { name: shown }).locator(".copyable code").waitFor();
    assert.equal(sent, 1);
  });
}

test("a set-up link is shown, although somebody tries to close its dialog before", async () => {
  const { id } = await admin.service.as("administrator", "POST", "/users", { name: "Held Up", role: "editor" });
  const page = await admin.as("administrator", "/users");
  const send = await holdWrites(page, `**/users/${id}/setup-link`);
  await page.getByRole("button", { name: "Actions for Held Up" }).press("Enter");
  await page.getByRole("menuitem", { name: /link/ }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Set-up link" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.click(4, 4);
  send();
  await dialog.locator(".copyable code").waitFor();
});

test("the results of a decision on several requests and of a copy are shown to who tries to close the dialog", async () => {
  const { key, at } = await createProject(admin);
  await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  const page = await admin.as("administrator", `${at}/approvals`);
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await page.getByRole("button", { name: "Approve…" }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  let send = await holdWrites(page);
  await dialog.getByRole("button", { name: "Approve 2 requests" }).press("Enter");
  await tryToClose(page, dialog);
  send();
  await dialog.getByText("2 requests approved and applied.").waitFor();

  const comparison = await openComparison(admin, "administrator", { at }, PAIR);
  await openCopyDialog(comparison, ["Checkout"]);
  send = await holdWrites(comparison);
  const copy = comparison.getByRole("alertdialog");
  await copy.getByRole("button", { name: "Copy to Production" }).press("Enter");
  await tryToClose(comparison, copy);
  send();
  await copy.getByRole("heading", { name: "Copy results" }).waitFor();
});

test("a change of several features shows its results to who tries to close the dialog", async () => {
  const page = await admin.as("administrator", `${SHOP}/features?search=gift`);
  await page.getByRole("checkbox", { name: "Select Gift cards" }).press("Space");
  await page.getByRole("button", { name: "Archive…" }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  const send = await holdWrites(page);
  await dialog.getByRole("button", { name: /^(Archive|Request)/ }).press("Enter");
  await tryToClose(page, dialog);
  send();
  await dialog.getByRole("list", { name: "Results" }).waitFor();
});

test("a click beside a dialog closes it only if nothing in it can be filled in; Escape and Cancel close both", async () => {
  const page = await admin.as("administrator", `${SHOP}/features`);
  await page.getByRole("button", { name: "New feature" }).press("Enter");
  const create = page.getByRole("dialog", { name: "New feature" });
  await create.getByLabel("Name", { exact: true }).fill("Typed");
  await page.mouse.click(4, 4);
  assert.equal(await create.getByLabel("Name", { exact: true }).inputValue(), "Typed");
  // The click took the focus away for a frame.
  await escapeDialog(page);
  await create.waitFor({ state: "detached" });

  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await shortcuts.waitFor();
  await page.mouse.click(4, 4);
  await shortcuts.waitFor({ state: "detached" });
});

test("a menu that is opened with the keyboard has the focus on an action, which Enter runs", async () => {
  const page = await admin.as("administrator", "/users");
  const button = page.getByRole("button", { name: "Actions for Alma Lindqvist" });
  const items = page.getByRole("menuitem");
  for (const [key, name] of [
    ["Enter", "Edit…"],
    ["Space", "Edit…"],
    ["ArrowDown", "Edit…"],
    ["ArrowUp", "Remove…"],
  ]) {
    await button.press(key);
    await page.waitForFunction((name) => document.activeElement.textContent === name, name);
    await page.keyboard.press("Escape");
    await items.first().waitFor({ state: "detached" });
  }
  await button.press("Enter");
  await page.waitForFunction(() => document.activeElement.role === "menuitem");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Edit person" }).waitFor();
});
