// The people of the organisation: added, given another role, removed; by administrators alone.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";

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

test("every person is shown with their role, and only administrators are offered to change them", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, "/users");
    await row(page, "Alma Lindqvist").getByText("Administrator").waitFor();
    await row(page, "Pablo Reyes").getByText("Production editor").waitFor();
    await row(page, "Edda Okafor").getByText("Editor").waitFor();
    await row(page, "Ravi Menon").getByText("Read-only").waitFor();
    const may = role === "administrator";
    assert.equal(await page.getByRole("button", { name: "Add a person" }).isVisible(), may, role);
    assert.equal(await page.getByRole("button", { name: "Actions for Edda Okafor" }).isVisible(), may, role);
  }
});

test("a person is added by keyboard alone, and the way to their first token is shown", async () => {
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Add a person" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill(STRANGE_NAME);
  await chooseRole(page, "Production editor");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).press("Enter");
  const name = page.locator("main .users-name bdi").last();
  await row(page, "quoted").getByText("Production editor").waitFor();
  assert.equal(await name.textContent(), STRANGE_NAME, "Shown as text.");
  await status(page).getByRole("link", { name: "Make one" }).press("Enter");
  await page.waitForURL("**/tokens?for=*");
  const whose = page.getByRole("dialog", { name: "New token" }).getByRole("combobox", { name: "Whose" });
  assert.equal(await whose.inputValue(), STRANGE_NAME);
});

test("a name that the server refuses is told at its field", async () => {
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Add a person" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a person" });
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
  await choose(page, "Rosa Role", "Change name or role…");
  await chooseRole(page, "Editor");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  await status(page).getByText("Rosa Role is Editor now.").waitFor();
  assert.equal(await roleOf(id), "editor");
});

test("a change that meets somebody else's shows both sides; theirs can be taken", async () => {
  const { id } = await add("Mia Met", "readOnly");
  const page = await admin.as("administrator", "/users");
  await choose(page, "Mia Met", "Change name or role…");
  await chooseRole(page, "Editor");
  await service.as("administrator", "PATCH", `/users/${id}`, { role: "productionEditor" });
  const dialog = page.getByRole("dialog", { name: "Change name or role" });
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await dialog.getByText("productionEditor").waitFor();
  expectComplaint(page, /412/);
  assert.equal(await roleOf(id), "productionEditor");
  await dialog.getByRole("button", { name: "Take theirs" }).press("Enter");
  await dialog.getByRole("button", { name: /Production editor.*Role$/ }).waitFor();
  await dialog.getByRole("button", { name: "Take theirs" }).waitFor({ state: "detached" });
});

test("a person is removed after a question", async () => {
  await add("Lena Leaves", "editor");
  const page = await admin.as("administrator", "/users");
  await choose(page, "Lena Leaves", "Remove…");
  const question = page.getByRole("alertdialog", { name: "Remove this person?" });
  await question.getByText("programs that use one of their tokens are refused").waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await row(page, "Lena Leaves").waitFor();
  await choose(page, "Lena Leaves", "Remove…");
  await question.getByRole("button", { name: "Remove" }).press("Enter");
  await row(page, "Lena Leaves").waitFor({ state: "detached" });
});

test("the last administrator can be neither removed nor given another role, and the server says why", async () => {
  const why = "The organisation needs an administrator. Make somebody else one first.";
  const page = await admin.as("administrator", "/users");
  await choose(page, "Alma Lindqvist", "Remove…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByRole("alertdialog").getByText(why).waitFor();
  expectComplaint(page, /409/);
  await page.keyboard.press("Escape");
  await choose(page, "Alma Lindqvist", "Change name or role…");
  await chooseRole(page, "Editor");
  await page.getByText("This is you").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("dialog").getByText(why).waitFor();
  expectComplaint(page, /409/);
  await row(page, "Alma Lindqvist").getByText("Administrator").waitFor();
});

test("a session that ended while a person was written loses nothing", async () => {
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Add a person" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill("Nora Not-Lost");
  await page.context().clearCookies();
  await page.keyboard.press("Enter");
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await again.getByLabel("Personal access token").fill(service.tokenOf("administrator"));
  await again.getByRole("button", { name: "Sign in and go on" }).press("Enter");
  await row(page, "Nora Not-Lost").waitFor();
  expectComplaint(page, /401/);
});

test("a list that cannot be read says so, and is read again when asked", async () => {
  const page = await admin.as("readOnly", "/");
  await page.route("**/ui/api/v1/users?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Ours to mend." } }),
  );
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByText("Ours to mend.").waitFor();
  expectComplaint(page, /500/);
  await page.unroute("**/ui/api/v1/users?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await row(page, "Ravi Menon").waitFor();
});

test("the page and its dialogs please axe, wide and narrow, and nothing moves while it loads", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", "/users", { width });
    await row(page, "Ravi Menon").waitFor();
    await page.reload();
    await row(page, "Ravi Menon").waitFor();
    await nothingMoved(page);
    await axeFindsNothing(page);
    await choose(page, "Ravi Menon", "Change name or role…");
    await page.locator(".dialog input").first().waitFor();
    await axeFindsNothing(page);
    await page.keyboard.press("Escape");
    await choose(page, "Ravi Menon", "Remove…");
    await page.getByRole("alertdialog").waitFor();
    await axeFindsNothing(page);
  }
});

test("1,000 people are one quick list", async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `Person ${String(index).padStart(4, "0")}`);
  while (names.length > 0) await Promise.all(names.splice(0, 50).map((name) => add(name, "readOnly")));
  const page = await admin.as("administrator", "/users");
  await page.getByRole("button", { name: "Actions for Alma Lindqvist" }).waitFor();
  const count = await page.getByRole("table").getAttribute("aria-rowcount");
  assert.ok(Number(count) > 1_000);
  assert.ok((await page.getByRole("row").count()) < 100, "Only the rows in view exist.");
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.locator(`[aria-rowindex="${count}"]`).getByRole("button").waitFor();
});
