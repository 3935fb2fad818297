// The edge keys of a project, below its environments.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, escapeDialog, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";

const PAGE = "/projects/shop/environments";
const EDGE_KEYS = "/projects/shop/edge-keys";
const STRANGE_NAME = `<script>alert("1")</script> 'quoted' \u202eright to left`;

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const section = (page) => page.getByRole("region", { name: "Edge keys", exact: true });
const row = (page, name) => section(page).getByRole("row").filter({ hasText: name });
const create = (body) => service.as("administrator", "POST", EDGE_KEYS, body);
const stored = async (name) =>
  (await service.as("readOnly", "GET", `${EDGE_KEYS}?limit=200`)).items.filter((key) => key.name === name);

async function choose(page, name, action) {
  await section(page)
    .getByRole("button", { name: `Actions for ${name}` })
    .press("Enter");
  await page.getByRole("menuitem", { name: action }).press("Enter");
}

test("every role sees the edge keys and what they give access to, and only administrators can manage them", async () => {
  await create({ name: "Whole" });
  await create({ name: "Limited", environmentKeys: ["production", "staging"] });
  await service.as("administrator", "POST", PAGE, { key: "brief", name: "Brief" });
  await create({ name: "Left over", environmentKeys: ["brief"] });
  await service.as("administrator", "DELETE", `${PAGE}/brief`);
  for (const role of ROLES) {
    const page = await admin.as(role, PAGE);
    await row(page, "Whole").getByText("All", { exact: true }).waitFor();
    await row(page, "Limited").getByText("Staging, Production").waitFor();
    await row(page, "Left over").getByText("None: they were deleted").waitFor();
    await row(page, "Whole").getByText("Never").waitFor();
    const canManage = role === "administrator";
    for (const name of ["New edge key", "Actions for Whole"]) {
      assert.equal(await section(page).getByRole("button", { name }).isVisible(), canManage, `${role}: ${name}`);
    }
  }
});

test("an edge key of the whole project is created with the keyboard only, shown once and copied", async () => {
  const page = await admin.as("administrator", PAGE);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await section(page).getByRole("button", { name: "New edge key" }).press("Enter");
  await page.getByRole("dialog", { name: "New edge key" }).getByLabel("Name").fill(STRANGE_NAME);
  await page.keyboard.press("Enter");
  const created = page.getByRole("dialog", { name: "Edge key created" });
  const text = await created.locator(".copyable code").textContent();
  assert.match(text, /^edge-/);
  await created.getByRole("button", { name: "Copy edge key" }).press("Enter");
  await created.getByRole("button", { name: "Copied edge key" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await created.getByRole("button", { name: "I've copied it" }).press("Enter");
  await row(page, "quoted")
    .getByText(`edge-…${text.slice(-4)}`)
    .waitFor();
  assert.equal(await row(page, "quoted").locator("bdi").first().textContent(), STRANGE_NAME, "It is shown as text.");
  await page.reload();
  await row(page, "quoted").waitFor();
  assert.equal((await page.locator("body").textContent()).includes(text), false, "It is not shown again.");
  const [key] = await stored(STRANGE_NAME);
  assert.equal("environmentKeys" in key, false);
});

test("an edge key is limited to selected environments, at least one", async () => {
  const page = await admin.as("administrator", PAGE);
  await section(page).getByRole("button", { name: "New edge key" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "New edge key" });
  await dialog.getByLabel("Name").fill("Stockholm");
  await dialog.getByRole("button", { name: /Access to$/ }).press("Enter");
  await page.getByRole("option", { name: /^Selected environments/ }).press("Enter");
  const submit = dialog.getByRole("button", { name: "Create key" });
  assert.equal(await submit.isEnabled(), false);
  await dialog.getByText("Select at least one.").waitFor();
  for (const name of ["Production Production", "Development", "Staging"]) {
    await dialog.getByRole("checkbox", { name }).press("Space");
  }
  await dialog.getByRole("checkbox", { name: "Development" }).press("Space");
  await submit.press("Enter");
  await page.getByRole("dialog", { name: "Edge key created" }).getByRole("button", { name: "I've copied it" }).click();
  await row(page, "Stockholm").getByText("Staging, Production").waitFor();
  const [{ environmentKeys }] = await stored("Stockholm");
  assert.deepEqual(environmentKeys, ["staging", "production"]);
});

test("a rotated edge key stays until it is revoked, after a confirmation that says what will stop", async () => {
  const old = await create({ name: "Turned", environmentKeys: ["staging"] });
  const page = await admin.as("administrator", PAGE);
  await choose(page, "Turned", "Rotate…");
  const rotation = page.getByRole("alertdialog", { name: "Rotate this edge key?" });
  await rotation.getByText("This one stays valid").waitFor();
  await escapeDialog(page);
  await rotation.waitFor({ state: "detached" });
  assert.equal((await stored("Turned")).length, 1);
  await choose(page, "Turned", "Rotate…");
  await rotation.getByRole("button", { name: "Create new key" }).press("Enter");
  const created = page.getByRole("dialog", { name: "Edge key created" });
  const text = await created.locator(".copyable code").textContent();
  assert.match(text, /^edge-/);
  await created.getByRole("button", { name: "I've copied it" }).press("Enter");
  await row(page, `edge-…${text.slice(-4)}`)
    .getByText("Staging")
    .waitFor();
  assert.deepEqual(
    (await stored("Turned")).map(({ hint }) => hint),
    [old.hint, text.slice(-4)],
  );

  const ofOld = row(page, `edge-…${old.hint}`);
  await ofOld.getByRole("button", { name: "Actions for Turned" }).press("Enter");
  await page.getByRole("menuitem", { name: "Revoke…" }).press("Enter");
  const confirmation = page.getByRole("alertdialog", { name: "Revoke this edge key?" });
  await confirmation.getByText(`edge-…${old.hint}`).waitFor();
  await confirmation.getByText("Edges that use it stop serving").waitFor();
  await escapeDialog(page);
  await confirmation.waitFor({ state: "detached" });
  assert.equal((await stored("Turned")).length, 2);
  await ofOld.getByRole("button", { name: "Actions for Turned" }).press("Enter");
  await page.getByRole("menuitem", { name: "Revoke…" }).press("Enter");
  await confirmation.getByRole("button", { name: "Revoke edge key" }).press("Enter");
  await ofOld.waitFor({ state: "detached" });
  await row(page, `edge-…${text.slice(-4)}`).waitFor();
});

test("the audit log says who created, rotated and revoked which edge key of which environments", async () => {
  const { id } = await create({ name: "Logged", environmentKeys: ["staging", "production"] });
  await service.as("administrator", "POST", `${EDGE_KEYS}/${id}/rotate`);
  await service.as("administrator", "DELETE", `${EDGE_KEYS}/${id}`);
  await create({ name: "Logged for all" });
  const page = await admin.as("readOnly", "/audit-log?project=shop&kind=edge-key");
  const sentences = page.locator(".audit-log-what");
  await sentences.filter({ hasText: "Logged for all" }).waitFor();
  assert.deepEqual((await sentences.allInnerTexts()).slice(0, 4), [
    "Alma Lindqvist created the edge key Logged for all",
    "Alma Lindqvist revoked the edge key Logged in Staging, Production",
    "Alma Lindqvist rotated the edge key Logged in Staging, Production",
    "Alma Lindqvist created the edge key Logged in Staging, Production",
  ]);
  await page.getByRole("link", { name: "Logged for all" }).press("Enter");
  await page.waitForURL((url) => url.pathname === PAGE);
});

test("edge keys that cannot be loaded can be loaded again, and the environments are shown meanwhile", async () => {
  await service.as("administrator", "POST", "/projects", { key: "quiet", name: "Quiet" });
  await service.as("administrator", "POST", "/projects/quiet/environments", { key: "only", name: "Only" });
  const page = await admin.as("administrator", "/users");
  const keys = "**/ui/api/v1/projects/quiet/edge-keys?**";
  await page.route(keys, (route) => route.fulfill({ status: 500, json: { detail: "Out of order." } }));
  await page.goto("/projects/quiet/environments");
  await section(page).getByText("Out of order.").waitFor();
  await page.getByRole("link", { name: "Only", exact: true }).waitFor();
  for (const text of page.wrongs.splice(0)) assert.match(text, /500/);
  await page.unroute(keys);
  await section(page).getByRole("button", { name: "Try again" }).press("Enter");
  await section(page).getByText("No edge keys yet.").waitFor();
});

test("axe finds nothing in the section and its dialogs, in light and dark, wide and narrow; nothing moves while it loads", async () => {
  await create({ name: "Checked", environmentKeys: ["staging", "production"] });
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", PAGE, { width });
    await row(page, "Checked").waitFor();
    await page.reload();
    await row(page, "Checked").waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    await section(page).getByRole("button", { name: "New edge key" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /Access to$/ }).press("Enter");
    await page.getByRole("option", { name: /^Selected environments/ }).press("Enter");
    await dialog.getByText("Select at least one.").waitFor();
    await axeFindsNothing(page);
    await escapeDialog(page);
    await dialog.waitFor({ state: "detached" });
    for (const action of ["Rotate…", "Revoke…"]) {
      await choose(page, "Checked", action);
      await page.getByRole("alertdialog").waitFor();
      await axeFindsNothing(page);
      await escapeDialog(page);
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
    }
  }
});
