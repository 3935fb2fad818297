// The environments of a project: their settings, their keys, and their end.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";

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
const makeKey = (environment, kind, name) =>
  service.as("administrator", "POST", `${ENVIRONMENTS}/${environment}/${kind}-keys`, { name });
const section = (page, name) => page.getByRole("region", { name, exact: true });

/** What the service answers to a page with this client key, at this origin. */
async function load(key, origin) {
  const headers = { "content-type": "text/plain", ...(origin && { origin }) };
  const body = JSON.stringify({ user: { id: "somebody" } });
  return (await fetch(`${service.base}/client/v1/${key}/load`, { method: "POST", headers, body })).status;
}

test("every environment is shown with what guards it, and administrators alone are offered to change anything", async () => {
  for (const role of ROLES) {
    const page = await admin.as(role, ENVIRONMENTS);
    const may = role === "administrator";
    await row(page, "production").filter({ hasText: "Production" }).first().waitFor();
    assert.equal(await page.getByRole("button", { name: "New environment" }).isVisible(), may, role);
    await page.getByRole("link", { name: "Staging", exact: true }).press("Enter");
    await page.waitForURL(`**${ENVIRONMENTS}/staging`);
    await section(page, "Client keys").getByRole("row").nth(1).waitFor();
    for (const name of ["Delete…", "Save", "New client key", "New server key", /^Revoke/]) {
      assert.equal(await page.getByRole("button", { name }).first().isVisible(), may, `${role}: ${name}`);
    }
  }
});

test("an environment is created by keyboard alone, with errors at the fields that they are about", async () => {
  const page = await admin.as("administrator", ENVIRONMENTS);
  await page.getByRole("button", { name: "New environment" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New environment" });
  await dialog.getByLabel("Name").fill("Canary");
  assert.equal(await dialog.getByLabel("Key").inputValue(), "canary");
  await dialog.getByRole("checkbox", { name: /^Approval required/ }).press("Space");
  await dialog.getByLabel("Allowed origins").fill("https://shop.example\nnot an origin");
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  const field = dialog.locator(".field", { has: page.getByLabel("Allowed origins") });
  await field.locator(".field-error").getByText("not: An origin is like").waitFor();
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

test("outside production settings are saved at once", async () => {
  await create("quick");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/quick`);
  await page.getByLabel("Name").fill(STRANGE_NAME);
  await page.getByRole("checkbox", { name: /^Production/ }).press("Space");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("heading", { level: 1 }).getByText("quoted").waitFor();
  assert.equal(await page.locator("h1 bdi").textContent(), STRANGE_NAME, "Shown as text.");
  const { name, production } = await read("quick");
  assert.deepEqual({ name, production }, { name: STRANGE_NAME, production: true });
});

test("in production settings ask first, and say what becomes of it", async () => {
  await create("live", { production: true, approvalRequired: true, allowedOrigins: ["https://a.example"] });
  const page = await admin.as("administrator", `${ENVIRONMENTS}/live`);
  await page.getByRole("checkbox", { name: /^Approval required/ }).press("Space");
  await page.getByLabel("Allowed origins").fill("https://b.example");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Change a production environment?" });
  await question.getByText("Changes of its targeting no longer wait for an approval.").waitFor();
  await question.getByText("Only pages of https://b.example may use its client keys").waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  assert.equal((await read("live")).approvalRequired, true);
  assert.equal(await page.getByLabel("Allowed origins").inputValue(), "https://b.example", "Nothing typed is lost.");
  await save.press("Enter");
  await question.getByRole("button", { name: "Save live" }).press("Enter");
  await status(page).getByText("live was saved.").waitFor();
  const { approvalRequired, allowedOrigins } = await read("live");
  assert.deepEqual(
    { approvalRequired, allowedOrigins },
    { approvalRequired: false, allowedOrigins: ["https://b.example"] },
  );
});

test("settings that meet somebody else's show both sides, and nothing that was typed is lost", async () => {
  await create("met");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/met`);
  await page.getByLabel("Name").fill("Mine");
  await service.as("administrator", "PATCH", `${ENVIRONMENTS}/met`, { name: "Theirs" });
  await page.getByRole("button", { name: "Save" }).press("Enter");
  const sides = page.getByRole("region", { name: "Saved by somebody else and Yours" });
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

test("a client key is made, shown once, copied, works, and is revoked after a question that says what breaks", async () => {
  await create("keyed");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/keyed`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const keys = section(page, "Client keys");
  await keys.getByText("No client key yet.").waitFor();
  await keys.getByRole("button", { name: "New client key" }).press("Enter");
  await page.getByRole("dialog", { name: "New client key" }).getByLabel("Name").fill("Web shop");
  await page.keyboard.press("Enter");
  const shown = page.getByRole("dialog", { name: "The new client key" });
  const text = await shown.locator(".copyable code").textContent();
  assert.match(text, /^js-/);
  assert.equal(await load(text), 200);
  await shown.getByRole("button", { name: "Copy client key" }).press("Enter");
  await shown.getByRole("button", { name: "client key: copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await shown.getByRole("button", { name: "I have copied it" }).press("Enter");
  await keys
    .getByRole("row")
    .filter({ hasText: "Web shop" })
    .getByText(`js-…${text.slice(-4)}`)
    .waitFor();
  await page.reload();
  await keys.getByRole("button", { name: "Revoke Web shop" }).press("Enter");
  assert.equal((await page.locator("body").textContent()).includes(text), false, "Never again.");
  const question = page.getByRole("alertdialog", { name: "Revoke this client key?" });
  await question.getByText("Pages that use it get no features any more").waitFor();
  await question.getByText("It is the only client key of this environment.").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await load(text), 200);
  await keys.getByRole("button", { name: "Revoke Web shop" }).press("Enter");
  await question.getByRole("button", { name: "Revoke the key" }).press("Enter");
  await keys.getByText("No client key yet.").waitFor();
  assert.notEqual(await load(text), 200);
});

test("a server key is made, shown once, and revoked after a question that says what breaks", async () => {
  await makeKey("staging", "server", "First");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/staging`);
  const keys = section(page, "Server keys");
  await keys.getByRole("button", { name: "New server key" }).press("Enter");
  await page.getByRole("dialog", { name: "New server key" }).getByLabel("Name").fill("Checkout service");
  await page.keyboard.press("Enter");
  const shown = page.getByRole("dialog", { name: "The new server key" });
  assert.match(await shown.locator(".copyable code").textContent(), /^srv-/);
  await shown.getByRole("button", { name: "I have copied it" }).press("Enter");
  await keys.getByRole("button", { name: "Revoke Checkout service" }).press("Enter");
  const question = page.getByRole("alertdialog", { name: "Revoke this server key?" });
  await question.getByText("Servers that use it learn of no change any more").waitFor();
  await question.getByRole("button", { name: "Revoke the key" }).press("Enter");
  await keys.getByRole("row").filter({ hasText: "Checkout service" }).waitFor({ state: "detached" });
  await keys.getByRole("row").filter({ hasText: "First" }).waitFor();
});

test("an environment is deleted once its key was written; one marked as production cannot be", async () => {
  await create("gone");
  const page = await admin.as("administrator", `${ENVIRONMENTS}/production`);
  await page.getByText("It cannot be deleted while it is marked as production.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete…" }).isEnabled(), false);
  await page.goto(`${ENVIRONMENTS}/gone`);
  await section(page, "Settings").waitFor();
  await page.getByRole("button", { name: "Delete…" }).press("Enter");
  const question = page.getByRole("alertdialog", { name: "Delete this environment?" });
  const confirm = question.getByRole("button", { name: "Delete the environment" });
  await question.getByLabel("Write gone to go on").fill("Gone");
  assert.equal(await confirm.isEnabled(), false);
  await question.getByLabel("Write gone to go on").fill("gone");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === ENVIRONMENTS);
  await row(page, "Staging").waitFor();
  assert.equal(await row(page, "gone").count(), 0);
});

test("an environment in a pipeline is kept, and the server says why", async () => {
  await create("piped");
  const phases = [{ name: "Only", environmentKey: "piped", approvalRequired: false }];
  await service.as("administrator", "POST", "/projects/shop/pipelines", { key: "pipe", name: "Pipe", phases });
  const page = await admin.as("administrator", `${ENVIRONMENTS}/piped`);
  await section(page, "Settings").waitFor();
  await page.getByRole("button", { name: "Delete…" }).press("Enter");
  await page.getByLabel("Write piped to go on").fill("piped");
  await page.keyboard.press("Enter");
  await page.getByText("The pipeline 'pipe' has a phase in 'piped'. Change the pipeline first.").waitFor();
  expectComplaint(page, /409/);
});

test("a project without environments says so, and one that cannot be read can be read again", async () => {
  await service.as("administrator", "POST", "/projects", { key: "bare", name: "Bare" });
  const page = await admin.as("administrator", "/projects/bare/environments");
  await page.getByRole("heading", { name: "No environment yet" }).waitFor();
  await axeFindsNothing(page);
  await page.goto("/users");
  await page.route("**/ui/api/v1/projects/bare/environments?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Ours to mend." } }),
  );
  await page.goto("/projects/bare/environments");
  await page.getByText("Ours to mend.").waitFor();
  expectComplaint(page, /500/);
  await page.unroute("**/ui/api/v1/projects/bare/environments?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByRole("heading", { name: "No environment yet" }).waitFor();
});

test("the pages and their dialogs please axe, wide and narrow, and nothing moves while they load", async () => {
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
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete…" }).press("Enter");
    await page.getByRole("alertdialog", { name: "Delete this environment?" }).waitFor();
    await axeFindsNothing(page);
  }
});
