// The people of the organisation: adding, editing and removing them.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  axeFindsNothing,
  escapeDialog,
  expectComplaint,
  nothingMoved,
  ROLES,
  startAdmin,
} from "../../support/admin/admin.mjs";

const STRANGE_NAME = `<script>alert("1")</script> 'quoted' \u202eright to left`;

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const row = (page, name) => page.getByRole("row").filter({ hasText: name });
const status = (page) => page.locator(".toasts");
const add = (name, role) => service.as("administrator", "POST", "/users", { name, role });

/** A window in which nobody is signed in asks for the session, and Chromium logs the 401 responses. */
function expectOnly401(page) {
  for (const text of page.wrongs.splice(0)) assert.match(text, /401/);
}

async function roleOf(id) {
  return (await service.as("readOnly", "GET", `/users/${id}`)).role;
}

async function choose(page, person, action) {
  await page.getByRole("button", { name: `Actions for ${person}` }).press("Enter");
  await page.getByRole("menuitem", { name: action }).press("Enter");
}

async function chooseRole(page, role) {
  await page.getByRole("dialog").getByRole("button", { name: /Role$/ }).press("Enter");
  await page.getByRole("option", { name: new RegExp(`^${role}`) }).press("Enter");
}

test("every person is listed with their role, and only administrators can change people", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, "/users");
    await row(page, "Alma Lindqvist").getByText("Administrator").waitFor();
    await row(page, "Pablo Reyes").getByText("Production editor").waitFor();
    await row(page, "Edda Okafor").getByText("Editor").waitFor();
    await row(page, "Ravi Menon").getByText("Read-only").waitFor();
    const canManage = role === "administrator";
    assert.equal(await page.getByRole("button", { name: "Add person" }).isVisible(), canManage, role);
    assert.equal(await page.getByRole("button", { name: "Actions for Edda Okafor" }).isVisible(), canManage, role);
  }
});

test("people are listed by name", async () => {
  const page = await admin.as("readOnly", "/users");
  await page.locator("[data-index]").first().waitFor();
  const names = await page.locator("[data-index] .users-name > bdi").allTextContents();
  assert.deepEqual(names.slice(0, 2), ["Alma Lindqvist", "Edda Okafor"]);
  assert.deepEqual(names, [...names].sort(new Intl.Collator("en").compare));
});

test("a person is added with the keyboard only, and creates their own token with the set-up link, which works once", async () => {
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Add person" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill(STRANGE_NAME);
  await chooseRole(page, "Production editor");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).press("Enter");
  const name = page.locator("main .users-name bdi").filter({ hasText: "right to left" });
  await row(page, "quoted").getByText("Production editor").waitFor();
  assert.equal(await name.textContent(), STRANGE_NAME, "It is shown as text.");
  const link = page.getByRole("dialog", { name: "Set-up link" });
  const url = await link.locator(".copyable code").textContent();
  await axeFindsNothing(page);
  await link.getByRole("button", { name: "I've copied it" }).press("Enter");

  const theirs = await admin.open();
  await theirs.goto(url);
  await theirs.getByRole("heading", { name: "Set up your access" }).waitFor();
  await axeFindsNothing(theirs);
  await theirs.getByRole("button", { name: "Create my token" }).press("Enter");
  await theirs.getByText("Copy your token now.").waitFor();
  assert.match(await theirs.locator(".copyable code").textContent(), /^api-/);
  await axeFindsNothing(theirs);
  await theirs.getByRole("button", { name: "I've copied it, sign in" }).press("Enter");
  await theirs.getByRole("main").getByRole("heading", { name: "Projects" }).waitFor();

  const again = await admin.open();
  await again.goto(url);
  await again.getByRole("button", { name: "Create my token" }).press("Enter");
  await again.getByText("Ask an administrator for a new one.").waitFor();
  for (const page of [theirs, again]) expectOnly401(page);
});

test("a new set-up link for a person replaces the one before", async () => {
  const { id } = await add("Lina Lost", "editor");
  const { url } = await service.as("administrator", "POST", `/users/${id}/setup-link`);
  const page = await admin.as("administrator", "/users");
  await choose(page, "Lina Lost", "Create set-up link");
  const shown = await page.getByRole("dialog", { name: "Set-up link" }).locator(".copyable code").textContent();
  assert.notEqual(new URL(shown).hash, new URL(url, shown).hash);
  const old = await admin.open();
  await old.goto(url);
  await old.getByRole("button", { name: "Create my token" }).press("Enter");
  await old.getByText("Ask an administrator for a new one.").waitFor();
  expectOnly401(old);
});

test("a name that the server refuses shows the error at its field", async () => {
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Add person" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add person" });
  await dialog.getByLabel("Name").fill("   ");
  await page.keyboard.press("Enter");
  await dialog
    .locator(".field", { has: page.getByLabel("Name") })
    .locator(".field-error")
    .waitFor();
  expectComplaint(page, /422/);
});

test("a role is changed", async () => {
  const { id } = await add("Rosa Role", "readOnly");
  const page = await admin.as("administrator", "/users");
  await choose(page, "Rosa Role", "Edit…");
  await chooseRole(page, "Editor");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  await status(page).getByText("Rosa Role now has the Editor role.").waitFor();
  assert.equal(await roleOf(id), "editor");
});

test("a conflict with someone else's edit shows both versions, and theirs can be used", async () => {
  const { id } = await add("Mia Met", "readOnly");
  const page = await admin.as("administrator", "/users");
  await choose(page, "Mia Met", "Edit…");
  await chooseRole(page, "Editor");
  await service.as("administrator", "PATCH", `/users/${id}`, { role: "productionEditor" });
  const dialog = page.getByRole("dialog", { name: "Edit person" });
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await dialog.getByText("productionEditor").waitFor();
  expectComplaint(page, /412/);
  assert.equal(await roleOf(id), "productionEditor");
  await dialog.getByRole("button", { name: "Use theirs" }).press("Enter");
  await dialog.getByRole("button", { name: /Production editor.*Role$/ }).waitFor();
  await dialog.getByRole("button", { name: "Use theirs" }).waitFor({ state: "detached" });
});

test("a person is removed after confirmation", async () => {
  await add("Lena Leaves", "editor");
  const page = await admin.as("administrator", "/users");
  await choose(page, "Lena Leaves", "Remove…");
  const confirmation = page.getByRole("alertdialog", { name: "Remove this person?" });
  await confirmation.getByText("programs that use their tokens will be rejected").waitFor();
  await escapeDialog(page);
  await confirmation.waitFor({ state: "detached" });
  await row(page, "Lena Leaves").waitFor();
  await choose(page, "Lena Leaves", "Remove…");
  await confirmation.getByRole("button", { name: "Remove person" }).press("Enter");
  await row(page, "Lena Leaves").waitFor({ state: "detached" });
});

test("the last administrator can't be removed or given another role, and the server's reason is shown", async () => {
  const why = "The organisation needs an administrator. Make somebody else one first.";
  const page = await admin.as("administrator", "/users");
  await choose(page, "Alma Lindqvist", "Remove…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove person" }).press("Enter");
  await page.getByRole("alertdialog").getByText(why).waitFor();
  expectComplaint(page, /409/);
  await escapeDialog(page);
  await choose(page, "Alma Lindqvist", "Edit…");
  await chooseRole(page, "Editor");
  await page.getByText("This is you").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("dialog").getByText(why).waitFor();
  expectComplaint(page, /409/);
  await row(page, "Alma Lindqvist").getByText("Administrator").waitFor();
});

test("no input is lost when the session ends while a person is being added", async () => {
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Add person" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill("Nora Not-Lost");
  await page.context().clearCookies();
  await page.keyboard.press("Enter");
  const signInAgain = page.getByRole("dialog", { name: "Your session has ended" });
  await signInAgain.getByLabel("Personal access token").fill(service.tokenOf("administrator"));
  await signInAgain.getByRole("button", { name: "Sign in and continue" }).press("Enter");
  await row(page, "Nora Not-Lost").waitFor();
  expectOnly401(page);
});

test("a list that can't be loaded shows the error, and can be retried", async () => {
  const page = await admin.as("readOnly", "/");
  await page.route("**/ui/api/v1/users?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Out of order." } }),
  );
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByText("Out of order.").waitFor();
  expectComplaint(page, /500/);
  await page.unroute("**/ui/api/v1/users?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await row(page, "Ravi Menon").waitFor();
});

test("axe finds nothing on the page and in its dialogs, wide and narrow, and nothing moves while it loads", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", "/users", { width });
    await row(page, "Ravi Menon").waitFor();
    await page.reload();
    await row(page, "Ravi Menon").waitFor();
    await nothingMoved(page);
    await axeFindsNothing(page);
    await choose(page, "Ravi Menon", "Edit…");
    await page.locator(".dialog input").first().waitFor();
    await axeFindsNothing(page);
    await escapeDialog(page);
    await choose(page, "Ravi Menon", "Remove…");
    await page.getByRole("alertdialog").waitFor();
    await axeFindsNothing(page);
  }
});

test("a list of 1,000 people is fast: only the rows in view exist", async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `Person ${String(index).padStart(4, "0")}`);
  while (names.length > 0) await Promise.all(names.splice(0, 5).map((name) => add(name, "readOnly")));
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Actions for Alma Lindqvist" }).waitFor();
  const count = await page.getByRole("table").getAttribute("aria-rowcount");
  assert.ok(Number(count) > 1_000);
  assert.ok((await page.getByRole("row").count()) < 100, "Only the rows in view exist.");
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.locator(`[aria-rowindex="${count}"]`).getByRole("button").waitFor();
});
