// Personal access tokens: creating, showing once and revoking them, for oneself and by administrators for others.
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

const DAY_MS = 86_400_000;

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const row = (page, name) => page.getByRole("row").filter({ hasText: name });
const create = (role, name, more) => service.as(role, "POST", "/tokens", { name, ...more });

/** The status that the REST API answers to this token. */
async function statusOf(token) {
  return (await fetch(`${service.base}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
}

test("people see their own tokens, and administrators see everyone's", async () => {
  for (const role of ROLES) await create(role, `Of the ${role}`);
  for (const role of ROLES) {
    const page = await admin.as(role, "/tokens");
    await row(page, `Of the ${role}`).waitFor();
    for (const other of ROLES) {
      const visible = await row(page, `Of the ${other}`).isVisible();
      assert.equal(visible, role === other || role === "administrator", `${role} sees ${other}`);
    }
    assert.equal(await page.getByRole("button", { name: /Owner$/ }).isVisible(), role === "administrator", role);
  }
});

test("a token is created with the keyboard only, shown once, copied, and works", async () => {
  const page = await admin.as("readOnly", "/tokens");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "New token" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByText("It will have your role: Read-only.").waitFor();
  await dialog.getByLabel("Name").fill("Deploy robot");
  await page.keyboard.press("Enter");
  const created = page.getByRole("dialog", { name: "Token created" });
  const text = await created.locator(".copyable code").textContent();
  assert.match(text, /^api-/);
  assert.equal(await statusOf(text), 200);
  await created.getByRole("button", { name: "Copy token" }).press("Enter");
  await created.getByRole("button", { name: "Copied token" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await page.keyboard.press("Escape");
  await created.waitFor();
  await created.getByRole("button", { name: "I've copied it" }).press("Enter");
  await created.waitFor({ state: "detached" });
  await row(page, "Deploy robot").waitFor();
  await page.reload();
  await row(page, "Deploy robot").waitFor();
  assert.equal((await page.locator("body").textContent()).includes(text), false, "It is not shown again.");
});

test("without a clipboard, the copy button selects the token", async () => {
  const page = await admin.as("readOnly", "/tokens");
  // As on a page without TLS.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "New token" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill("By hand");
  await page.keyboard.press("Enter");
  const created = page.getByRole("dialog", { name: "Token created" });
  const text = await created.locator(".copyable code").textContent();
  await created.getByRole("button", { name: "Copy token" }).press("Enter");
  await page.waitForFunction((text) => getSelection().toString() === text, text);
});

test("a token expires at the selected time, by default in 90 days", async () => {
  const page = await admin.as("editor", "/tokens");
  const choices = { "In 90 days": 90, "In 30 days": 30, "In a year": 365, Never: undefined };
  for (const [label, days] of Object.entries(choices)) {
    await page.getByRole("button", { name: "New token" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "New token" });
    const name = `Robot: ${label}`;
    await dialog.getByLabel("Name").fill(name);
    if (days !== 90) {
      await dialog.getByRole("button", { name: /Expires$/ }).press("Enter");
      await page.getByRole("option", { name: label }).press("Enter");
    }
    await dialog.getByRole("button", { name: "Create token" }).press("Enter");
    await page.getByRole("button", { name: "I've copied it" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await row(page, name).waitFor();
    const { items } = await service.as("editor", "GET", "/tokens?limit=200");
    const { expiresAt } = items.find((token) => token.name === name);
    if (days === undefined) assert.equal(expiresAt, undefined);
    else assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - days * DAY_MS) < DAY_MS / 2, `${label}: ${expiresAt}`);
  }
});

test("a token that expires within 30 days is marked", async () => {
  const inDays = (days) => ({ expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() });
  await create("editor", "Robot of 29 days", inDays(29));
  await create("editor", "Robot of 31 days", inDays(31));
  await create("editor", "Robot for ever", { expiresAt: null });
  const page = await admin.as("editor", "/tokens");
  await row(page, "Robot of 29 days").getByText("Expires soon").waitFor();
  for (const name of ["Robot of 31 days", "Robot for ever"]) {
    await row(page, name).waitFor();
    assert.equal(await row(page, name).getByText("Expires soon").count(), 0, name);
  }
});

test("a token is limited to reading and to selected environments, and the list shows it", async () => {
  const page = await admin.as("administrator", "/tokens");
  await page.getByRole("button", { name: "New token" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByLabel("Name").fill("Limited robot");
  await dialog.getByRole("button", { name: /Access$/ }).press("Enter");
  await page.getByRole("option", { name: "Read only" }).press("Enter");
  await dialog.getByRole("button", { name: /Limited to$/ }).press("Enter");
  await page.getByRole("option", { name: "Selected projects" }).press("Enter");
  await dialog.getByText("Select at least one.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Create token" }).isDisabled());
  await dialog.getByRole("checkbox", { name: "Staging" }).press("Space");
  await dialog.getByRole("button", { name: "Create token" }).press("Enter");
  await page.getByText("within its scope").waitFor();
  const token = await page.locator(".copyable code").textContent();
  await page.getByRole("button", { name: "I've copied it" }).press("Enter");
  await row(page, "Limited robot").getByText("Read only").waitFor();
  await row(page, "Limited robot").getByText("shop/staging").waitFor();
  const { items } = await service.as("administrator", "GET", "/tokens?limit=200");
  assert.deepEqual(items.find(({ name }) => name === "Limited robot").scope, {
    access: "readOnly",
    projects: [],
    environments: [{ projectKey: "shop", environmentKey: "staging" }],
  });
  const get = (path) =>
    fetch(`${service.base}/api/v1/projects/shop${path}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await get("/features/reviews/environments/staging")).status, 200);
  assert.equal((await get("/features/reviews/environments/production")).status, 403);
});

test("the whole project includes its environments", async () => {
  const page = await admin.as("administrator", "/tokens");
  await page.getByRole("button", { name: "New token" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByLabel("Name").fill("Robot of the shop");
  await dialog.getByRole("button", { name: /Limited to$/ }).press("Enter");
  await page.getByRole("option", { name: "Selected projects" }).press("Enter");
  await dialog.getByRole("checkbox", { name: "Staging" }).press("Space");
  await dialog.getByRole("checkbox", { name: "Whole project" }).press("Space");
  const production = dialog.getByRole("checkbox", { name: /^Production/ }).first();
  assert.ok((await production.isChecked()) && (await production.isDisabled()));
  await dialog.getByRole("button", { name: "Create token" }).press("Enter");
  await page.getByRole("button", { name: "I've copied it" }).press("Enter");
  await row(page, "Robot of the shop").waitFor();
  const { items } = await service.as("administrator", "GET", "/tokens?limit=200");
  const { scope } = items.find(({ name }) => name === "Robot of the shop");
  assert.deepEqual(scope, { access: "readWrite", projects: ["shop"], environments: [] });
});

test("someone signed in with a read-only token sees the pages without controls, and can create no token", async () => {
  const { token } = await create("administrator", "For reading", { scope: { access: "readOnly" } });
  const page = await admin.withToken(token, "/tokens");
  await row(page, "For reading").waitFor();
  assert.equal(await page.getByRole("button", { name: "New token" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: /^Revoke/ }).count(), 0);
  await page.goto("/projects/shop/features");
  await page.getByRole("link", { name: "Reviews" }).first().waitFor();
  assert.equal(await page.getByRole("button", { name: "New feature" }).count(), 0);
});

test("the list can be filtered by owner, and the filter stays in the URL", async () => {
  await create("editor", "Of Edda");
  const page = await admin.as("administrator", "/tokens");
  await row(page, "Of Edda").waitFor();
  await page.getByRole("button", { name: /Owner$/ }).press("Enter");
  await page.getByRole("option", { name: "Ravi Menon" }).press("Enter");
  await row(page, "Of Edda").waitFor({ state: "detached" });
  await page.reload();
  await row(page, "Ravi Menon").first().waitFor();
  assert.equal(await row(page, "Of Edda").count(), 0);
});

test("a token is revoked after a confirmation that says what will stop, and is rejected from then on", async () => {
  const { token } = await create("editor", "To be revoked");
  const page = await admin.as("administrator", "/tokens");
  await page.getByRole("button", { name: "Revoke To be revoked" }).press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Revoke this token?" });
  await confirmation.getByText("programs that use it are rejected").waitFor();
  await escapeDialog(page);
  assert.equal(await statusOf(token), 200);
  await page.getByRole("button", { name: "Revoke To be revoked" }).press("Enter");
  await confirmation.getByRole("button", { name: "Revoke token" }).press("Enter");
  await row(page, "To be revoked").waitFor({ state: "detached" });
  assert.equal(await statusOf(token), 401);
});

test("a token's name is shown as text", async () => {
  const name = `<script>alert("1")</script> 'quoted' \u202eright to left`;
  await create("readOnly", name);
  const page = await admin.as("readOnly", "/tokens");
  await row(page, "quoted").waitFor();
  assert.equal(await page.locator("main .name-cell bdi").first().textContent(), name);
});

test("a list that can't be loaded shows the error, and can be retried", async () => {
  const page = await admin.as("readOnly", "/");
  await page.route("**/ui/api/v1/tokens?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Out of order." } }),
  );
  await page.getByRole("link", { name: "Tokens" }).click();
  await page.getByText("Out of order.").waitFor();
  expectComplaint(page, /500/);
  await page.unroute("**/ui/api/v1/tokens?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await row(page, "Demo").waitFor();
});

test("axe finds nothing on the page and in its dialogs, wide and narrow, and nothing moves while it loads", async () => {
  for (const width of [1440, 360]) {
    await create("administrator", `Newest at ${width}`, { scope: { access: "readOnly", projects: ["shop"] } });
    const page = await admin.as("administrator", "/tokens", { width });
    await row(page, `Newest at ${width}`).waitFor();
    await page.reload();
    await row(page, `Newest at ${width}`).waitFor();
    await nothingMoved(page);
    await axeFindsNothing(page);
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await axeFindsNothing(page);
    await escapeDialog(page);
    await page.getByRole("button", { name: "New token" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Name").fill(`For axe at ${width}`);
    await page.getByRole("button", { name: /Limited to$/ }).press("Enter");
    await page.getByRole("option", { name: "Selected projects" }).press("Enter");
    await page.getByRole("checkbox", { name: "Whole project" }).first().press("Space");
    await axeFindsNothing(page);
    await page.getByRole("button", { name: "Create token" }).press("Enter");
    await page.getByRole("dialog", { name: "Token created" }).waitFor();
    await axeFindsNothing(page);
  }
});
