// The environments of a project: settings, keys and deletion.
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

const ENVIRONMENTS = "/projects/shop/environments";
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
const read = (key) => service.as("readOnly", "GET", `${ENVIRONMENTS}/${key}`);
const create = (key, more) => service.as("administrator", "POST", ENVIRONMENTS, { key, name: key, ...more });
const createKey = (environment, kind, name) =>
  service.as("administrator", "POST", `${ENVIRONMENTS}/${environment}/${kind}-keys`, { name });
const section = (page, name) => page.getByRole("region", { name, exact: true });

/** The status that a page with this client key gets, at this origin. */
async function load(key, origin) {
  const headers = { "content-type": "text/plain", ...(origin && { origin }) };
  const body = JSON.stringify({ user: { id: "somebody" } });
  return (await fetch(`${service.base}/client/v1/${key}/load`, { method: "POST", headers, body })).status;
}

test("every environment shows its protection, and only administrators can change anything", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, ENVIRONMENTS);
    const canManage = role === "administrator";
    await row(page, "production").filter({ hasText: "Production" }).first().waitFor();
    assert.equal(await page.getByRole("button", { name: "New environment" }).isVisible(), canManage, role);
    await page.getByRole("link", { name: "Staging", exact: true }).press("Enter");
    await page.waitForURL(`**${ENVIRONMENTS}/staging`);
    await section(page, "Client keys").getByRole("row").nth(1).waitFor();
    for (const name of ["Delete…", "Save", "New client key", "New server key", /^Revoke/]) {
      assert.equal(await page.getByRole("button", { name }).first().isVisible(), canManage, `${role}: ${name}`);
    }
  }
});

test("an environment is created with the keyboard only, and errors appear at their fields", async () => {
  const page = await admin.as("administrator", ENVIRONMENTS);
  await page.getByRole("button", { name: "New environment" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New environment" });
  await dialog.getByLabel("Name").fill("Canary");
  assert.equal(await dialog.getByLabel("Key").inputValue(), "canary");
  await dialog.getByRole("checkbox", { name: /^Approval required/ }).press("Space");
  await dialog.getByLabel("Allowed origins").fill("https://shop.example\nnot an origin");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  const field = dialog.locator(".field", { has: page.getByLabel("Allowed origins") });
  await field.locator(".field-error").getByText("not: An origin is a scheme and a host").waitFor();
  expectComplaint(page, /422/);
  await dialog.getByLabel("Allowed origins").fill("https://shop.example\nhttps://m.shop.example");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await page.waitForURL(`**${ENVIRONMENTS}/canary`);
  const { name, production, approvalRequired, allowedOrigins } = await read("canary");
  assert.deepEqual(
    { name, production, approvalRequired, allowedOrigins },
    {
      name: "Canary",
      production: false,
      approvalRequired: true,
      allowedOrigins: ["https://shop.example", "https://m.shop.example"],
    },
  );
});

test("outside production, settings are saved without confirmation", async () => {
  await create("quick");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/quick`);
  await page.getByLabel("Name").fill(STRANGE_NAME);
  await page.getByRole("checkbox", { name: /^Production/ }).press("Space");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("heading", { level: 1 }).getByText("quoted").waitFor();
  assert.equal(await page.locator("h1 bdi").textContent(), STRANGE_NAME, "It is shown as text.");
  const { name, production } = await read("quick");
  assert.deepEqual({ name, production }, { name: STRANGE_NAME, production: true });
});

test("in production, saving settings asks first and lists the consequences", async () => {
  await create("live", { production: true, approvalRequired: true, allowedOrigins: ["https://a.example"] });
  const page = await admin.as("administrator", `${ENVIRONMENTS}/live`);
  await page.getByRole("checkbox", { name: /^Approval required/ }).press("Space");
  await page.getByLabel("Allowed origins").fill("https://b.example");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Change a production environment?" });
  await confirmation.getByText("Targeting changes no longer need approval.").waitFor();
  await confirmation.getByText("Only pages on https://b.example can use its client keys").waitFor();
  await escapeDialog(page);
  await confirmation.waitFor({ state: "detached" });
  assert.equal((await read("live")).approvalRequired, true);
  assert.equal(await page.getByLabel("Allowed origins").inputValue(), "https://b.example", "The input is kept.");
  await save.press("Enter");
  await confirmation.getByRole("button", { name: "Save changes" }).press("Enter");
  await status(page).getByText("live was saved.").waitFor();
  const { approvalRequired, allowedOrigins } = await read("live");
  assert.deepEqual(
    { approvalRequired, allowedOrigins },
    { approvalRequired: false, allowedOrigins: ["https://b.example"] },
  );
});

test("a conflict with someone else's settings shows both versions and keeps the input", async () => {
  await create("met");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/met`);
  await page.getByLabel("Name").fill("Mine");
  await service.as("administrator", "PATCH", `${ENVIRONMENTS}/met`, { name: "Theirs" });
  await page.getByRole("button", { name: "Save" }).press("Enter");
  const sides = page.getByRole("region", { name: "Theirs and Yours" });
  await sides.getByText("Theirs").waitFor();
  await sides.getByText("Mine").waitFor();
  expectComplaint(page, /412/);
  assert.equal(await page.getByLabel("Name").inputValue(), "Mine");
  assert.equal((await read("met")).name, "Theirs");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
  await sides.waitFor({ state: "detached" });
  assert.equal((await read("met")).name, "Mine");
});

test("a client key is created, shown once, copied, works, and is revoked after a confirmation that says what will stop", async () => {
  await create("keyed");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/keyed`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const keys = section(page, "Client keys");
  await keys.getByText("No client keys yet.").waitFor();
  await keys.getByRole("button", { name: "New client key" }).press("Enter");
  await page.getByRole("dialog", { name: "New client key" }).getByLabel("Name").fill("Web shop");
  await page.keyboard.press("Enter");
  const created = page.getByRole("dialog", { name: "Client key created" });
  const text = await created.locator(".copyable code").textContent();
  assert.match(text, /^js-/);
  assert.equal(await load(text), 200);
  await created.getByRole("button", { name: "Copy client key" }).press("Enter");
  await created.getByRole("button", { name: "Copied client key" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await created.getByRole("button", { name: "I've copied it" }).press("Enter");
  await keys
    .getByRole("row")
    .filter({ hasText: "Web shop" })
    .getByText(`js-…${text.slice(-4)}`)
    .waitFor();
  await page.reload();
  await keys.getByRole("button", { name: "Revoke Web shop" }).press("Enter");
  assert.equal((await page.locator("body").textContent()).includes(text), false, "It is not shown again.");
  const confirmation = page.getByRole("alertdialog", { name: "Revoke this client key?" });
  await confirmation.getByText("Pages that use it stop getting features").waitFor();
  await confirmation.getByText("This is the only client key of this environment.").waitFor();
  await escapeDialog(page);
  assert.equal(await load(text), 200);
  await keys.getByRole("button", { name: "Revoke Web shop" }).press("Enter");
  await confirmation.getByRole("button", { name: "Revoke client key" }).press("Enter");
  await keys.getByText("No client keys yet.").waitFor();
  assert.notEqual(await load(text), 200);
});

test("a server key is created, shown once, and revoked after a confirmation that says what will stop", async () => {
  await createKey("staging", "server", "First");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/staging`);
  const keys = section(page, "Server keys");
  await keys.getByRole("button", { name: "New server key" }).press("Enter");
  await page.getByRole("dialog", { name: "New server key" }).getByLabel("Name").fill("Checkout service");
  await page.keyboard.press("Enter");
  const created = page.getByRole("dialog", { name: "Server key created" });
  assert.match(await created.locator(".copyable code").textContent(), /^srv-/);
  await created.getByRole("button", { name: "I've copied it" }).press("Enter");
  await keys.getByRole("button", { name: "Revoke Checkout service" }).press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Revoke this server key?" });
  await confirmation.getByText("Servers that use it stop getting changes").waitFor();
  await confirmation.getByRole("button", { name: "Revoke server key" }).press("Enter");
  await keys.getByRole("row").filter({ hasText: "Checkout service" }).waitFor({ state: "detached" });
  await keys.getByRole("row").filter({ hasText: "First" }).waitFor();
});

test("an environment is deleted once its key is typed; a production environment can't be deleted", async () => {
  await create("gone");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/production`);
  await page.getByText("A production environment can't be deleted.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete…" }).isEnabled(), false);
  await page.goto(`${ENVIRONMENTS}/gone`);
  await section(page, "Settings").waitFor();
  await page.getByRole("button", { name: "Delete…" }).press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Delete this environment?" });
  const confirm = confirmation.getByRole("button", { name: "Delete environment" });
  await confirmation.getByLabel("Type gone to confirm").fill("Gone");
  assert.equal(await confirm.isEnabled(), false);
  await confirmation.getByLabel("Type gone to confirm").fill("gone");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === ENVIRONMENTS);
  await row(page, "Staging").waitFor();
  assert.equal(await row(page, "gone").count(), 0);
});

test("an environment in a pipeline is not deleted, and the server's reason is shown", async () => {
  await create("piped");
  const phases = [{ name: "Only", environmentKey: "piped", approvalRequired: false }];
  await service.as("administrator", "POST", "/projects/shop/pipelines", { key: "pipe", name: "Pipe", phases });
  const page = await admin.as("administrator", `${ENVIRONMENTS}/piped`);
  await section(page, "Settings").waitFor();
  await page.getByRole("button", { name: "Delete…" }).press("Enter");
  await page.getByLabel("Type piped to confirm").fill("piped");
  await page.keyboard.press("Enter");
  await page.getByText("The pipeline 'pipe' has a phase in 'piped'. Change the pipeline first.").waitFor();
  expectComplaint(page, /409/);
});

test("a project without environments shows an empty state, and loading can be retried after an error", async () => {
  await service.as("administrator", "POST", "/projects", { key: "bare", name: "Bare" });
  const page = await admin.as("administrator", "/projects/bare/environments");
  await page.getByRole("heading", { name: "No environments yet" }).waitFor();
  await axeFindsNothing(page);
  await page.goto("/users");
  await page.route("**/ui/api/v1/projects/bare/environments?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Out of order." } }),
  );
  await page.goto("/projects/bare/environments");
  await page.getByText("Out of order.").waitFor();
  expectComplaint(page, /500/);
  await page.unroute("**/ui/api/v1/projects/bare/environments?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByRole("heading", { name: "No environments yet" }).waitFor();
});

test("in a project without environments, the pages that need one lead to the page that creates it", async () => {
  await service.as("administrator", "POST", "/projects", { key: "empty", name: "Empty" });
  await service.as("administrator", "POST", "/projects/empty/features", { key: "alone", name: "Alone" });
  for (const name of ["features/alone", "experiments", "goals"]) {
    const page = await admin.as("administrator", `/projects/empty/${name}`);
    await page.getByRole("heading", { name: "No environments yet" }).waitFor();
    await page.getByRole("link", { name: "Go to environments" }).press("Enter");
    await page.waitForURL("**/projects/empty/environments");
  }
});

test("axe finds nothing on the pages and in their dialogs, wide and narrow, and nothing moves while they load", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", ENVIRONMENTS, { width });
    await row(page, "Staging").waitFor();
    await page.reload();
    await row(page, "Staging").waitFor();
    await nothingMoved(page);
    await axeFindsNothing(page);
    await page.getByRole("button", { name: "New environment" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await axeFindsNothing(page);
    await page.goto(`${ENVIRONMENTS}/staging`);
    await section(page, "Client keys")
      .getByRole("button", { name: /^Revoke/ })
      .waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await axeFindsNothing(page);
    await escapeDialog(page);
    await page.getByRole("button", { name: "Delete…" }).press("Enter");
    await page.getByRole("alertdialog", { name: "Delete this environment?" }).waitFor();
    await axeFindsNothing(page);
  }
});
