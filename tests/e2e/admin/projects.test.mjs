// The projects of the organisation and its name: what each role sees, and what administrators change.
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

const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
const status = (page) => page.locator(".toasts");
const create = (key, name = key) => service.as("administrator", "POST", "/projects", { key, name });

async function choose(page, project, action) {
  await page.getByRole("button", { name: `Actions for ${project}` }).press("Enter");
  await page.getByRole("menuitem", { name: action }).press("Enter");
}

test("the start page lists the organisation's projects, and each links to its features", async () => {
  const page = await admin.as("readOnly", "/");
  await row(page, "Shop").getByRole("link", { name: "Shop", exact: true }).press("Enter");
  await page.waitForURL("**/projects/shop/features");
});

test("only administrators can create, rename and delete projects", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, "/");
    await row(page, "Shop").waitFor();
    const canManage = role === "administrator";
    for (const name of ["New project", "Actions for Shop", "Rename…"]) {
      assert.equal(await page.getByRole("button", { name }).isVisible(), canManage, `${role}: ${name}`);
    }
  }
});

test("a project is created with the keyboard only, and the form shows that a key is taken", async () => {
  const page = await admin.as("administrator", "/");
  await page.getByRole("button", { name: "New project" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New project" });
  await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Shop");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  expectComplaint(page, /409/);
  assert.equal(await dialog.getByLabel("Name").inputValue(), "Shop", "The input is kept.");
  await dialog.getByLabel("Name").fill("Mobile app");
  await dialog.getByLabel("Key").fill("app");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/projects/app/environments");
  await page.getByRole("heading", { name: "No environments yet" }).waitFor();
  assert.equal((await service.as("readOnly", "GET", "/projects/app")).name, "Mobile app");
});

test("a conflict with someone else's rename shows both versions and keeps the input", async () => {
  await create("met", "Before");
  const page = await admin.as("administrator", "/");
  await choose(page, "Before", "Rename…");
  const dialog = page.getByRole("dialog", { name: "Rename project" });
  await dialog.getByLabel("Name").fill("Mine");
  await service.as("administrator", "PATCH", "/projects/met", { name: "Theirs" });
  await page.keyboard.press("Enter");
  const sides = dialog.getByRole("region", { name: "Theirs and Yours" });
  await sides.getByText("Theirs").waitFor();
  await sides.getByText("Mine").waitFor();
  expectComplaint(page, /412/);
  assert.equal(await dialog.getByLabel("Name").inputValue(), "Mine");
  assert.equal((await service.as("readOnly", "GET", "/projects/met")).name, "Theirs");

  await dialog.getByRole("button", { name: "Rename" }).press("Enter");
  await status(page).getByText("The project was renamed to Mine.").waitFor();
  assert.equal((await service.as("readOnly", "GET", "/projects/met")).name, "Mine");
});

test("a project is deleted once its key is typed; one with features is not, and the server's reason is shown", async () => {
  await create("gone", "Going");
  const page = await admin.as("administrator", "/");
  await choose(page, "Shop", "Delete…");
  const confirmation = page.getByRole("alertdialog", { name: "Delete this project?" });
  const confirm = confirmation.getByRole("button", { name: "Delete project" });
  await confirmation.getByLabel("Type shop to confirm").fill("sho");
  assert.equal(await confirm.isEnabled(), false);
  await page.keyboard.press("Enter");
  await confirmation.getByLabel("Type shop to confirm").fill("shop");
  await page.keyboard.press("Enter");
  await confirmation.getByText(/The project 'shop' still has \d+ environments and \d+ features/).waitFor();
  expectComplaint(page, /409/);
  await page.keyboard.press("Escape");

  await choose(page, "Going", "Delete…");
  await confirmation.getByLabel("Type gone to confirm").fill("gone");
  await confirm.press("Enter");
  await row(page, "Going").waitFor({ state: "detached" });
});

test("the organisation is renamed, and every page shows the new name immediately", async () => {
  const page = await admin.as("administrator", "/");
  await page.getByRole("region", { name: "Organisation" }).getByRole("button", { name: "Rename…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rename organisation" });
  await dialog.getByLabel("Name").fill(STRANGE_NAME);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.locator(".brand bdi", { hasText: STRANGE_NAME }).waitFor();
  assert.equal((await service.as("readOnly", "GET", "/organisation")).name, STRANGE_NAME);
  await service.as("administrator", "PATCH", "/organisation", { name: "Acme" });
});

test("a project's name is shown as text", async () => {
  await create("odd", STRANGE_NAME);
  const page = await admin.as("readOnly", "/");
  await row(page, "Shop").waitFor();
  await page.getByRole("searchbox", { name: "Search projects" }).fill("odd");
  await row(page, "Shop").waitFor({ state: "detached" });
  assert.equal(await page.locator("main .name-link bdi").textContent(), STRANGE_NAME);
});

test("a list that can't be loaded shows the error, and can be retried", async () => {
  const page = await admin.as("readOnly", "/users");
  await page.route("**/ui/api/v1/projects?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Out of order." } }),
  );
  await page.reload();
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("main").getByText("Out of order.").waitFor();
  await page.unroute("**/ui/api/v1/projects?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await row(page, "Shop").waitFor();
  for (const text of page.wrongs.splice(0)) assert.match(text, /500/);
});

test("axe finds nothing on the page and in its dialogs, wide and narrow, and nothing moves while it loads", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", "/", { width });
    await row(page, "Shop").waitFor();
    await page.reload();
    await row(page, "Shop").waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    for (const action of ["Rename…", "Delete…"]) {
      await choose(page, "Shop", action);
      await page.locator(".dialog input").waitFor();
      await axeFindsNothing(page);
      await escapeDialog(page);
      await page.locator(".dialog").waitFor({ state: "detached" });
    }
  }
});
