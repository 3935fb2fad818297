// The list of features: searched, turned on and off, created and archived, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import { addLargeProject, MANY, openLargeList } from "../../support/admin/speed.mjs";

const FEATURES = "/projects/shop/features";
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
const switchOf = (page, feature, environment) =>
  page.getByRole("switch", { name: `${feature} in ${environment}`, exact: true });
const status = (page) => page.locator(".toasts");

async function isOn(feature, environment) {
  return (await service.as("readOnly", "GET", `/projects/shop/features/${feature}/environments/${environment}`))
    .enabled;
}

test("every feature shows its state in every environment", async () => {
  const page = await admin.as("readOnly", FEATURES);
  for (const environment of ["development", "staging", "production"]) {
    const name = environment[0].toUpperCase() + environment.slice(1);
    const control = switchOf(page, "New checkout", name);
    await control.waitFor();
    assert.equal(await control.isChecked(), await isOn("new-checkout", environment), environment);
  }
});

test("a switch outside production takes effect immediately", async () => {
  const page = await admin.as("editor", FEATURES);
  const control = switchOf(page, "Gift cards", "Staging");
  await control.press("Space");
  await status(page).getByText("Gift cards in Staging is on.").waitFor();
  assert.equal(await control.isChecked(), true);
  assert.equal(await isOn("gift-cards", "staging"), true);
});

test("a switch in production asks for confirmation, and cancelling changes nothing", async () => {
  const page = await admin.as("productionEditor", FEATURES);
  const control = switchOf(page, "New checkout", "Production");
  await control.press("Space");
  const confirmation = page.getByRole("alertdialog", { name: "Turn on in production?" });
  await confirmation.getByText("New checkout").waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await page.keyboard.press("Escape");
  await confirmation.waitFor({ state: "detached" });
  assert.equal(await isOn("new-checkout", "production"), false);

  await control.press("Space");
  await confirmation.getByRole("button", { name: "Turn on in Production" }).press("Enter");
  await status(page).getByText("New checkout in Production is on.").waitFor();
  assert.equal(await isOn("new-checkout", "production"), true);
});

test("a change that needs approval is requested, with a link to the request", async () => {
  await service.as("administrator", "PATCH", "/projects/shop/features/reviews", { approvalRequired: true });
  const page = await admin.as("editor", FEATURES);
  await row(page, "Reviews").getByText("Approval required").waitFor();
  await switchOf(page, "Reviews", "Development").press("Space");
  await status(page).getByText("Approval requested to turn Reviews in Development off.").waitFor();
  assert.equal(await isOn("reviews", "development"), true);
  assert.equal(await switchOf(page, "Reviews", "Development").isChecked(), true);
  // Until it is decided, no other change can be requested there.
  const pending = page.getByRole("link", { name: "Pending approval: Reviews in Development" });
  await pending.waitFor();
  assert.equal(await switchOf(page, "Reviews", "Development").isDisabled(), true);
  const { items } = await service.as("editor", "GET", "/projects/shop/approvals?state=pending&featureKey=reviews");
  await status(page).getByRole("link", { name: "View request" }).click();
  await page.waitForURL(`**/projects/shop/approvals/${items[0].id}`);
  await page.goBack();
  await pending.click();
  await page.waitForURL(`**/projects/shop/approvals/${items[0].id}`);
});

test("each role can turn features on and off only where it has the right", async () => {
  const canChange = {
    administrator: { Staging: true, Production: true },
    productionEditor: { Staging: true, Production: true },
    editor: { Staging: true, Production: false },
    readOnly: { Staging: false, Production: false },
  };
  for (const role of ROLES) {
    const page = await admin.as(role, FEATURES);
    for (const [environment, can] of Object.entries(canChange[role])) {
      const control = switchOf(page, "Winter sale", environment);
      await control.waitFor();
      assert.equal(await control.isEnabled(), can, `${role} in ${environment}`);
    }
    assert.equal(await page.getByRole("button", { name: "New feature" }).isVisible(), role !== "readOnly", role);
    // Archiving affects production too.
    const archives = await page.getByRole("button", { name: "Actions for Winter sale" }).isVisible();
    assert.equal(archives, canChange[role].Production, role);
  }
});

test("search, lifecycle and tag filter the list, and are part of the URL", async () => {
  await service.as("editor", "PATCH", "/projects/shop/features/sticky-basket", { tags: ["basket"] });
  const page = await admin.as("readOnly", FEATURES);
  await row(page, "Winter sale").waitFor();
  await page.getByRole("searchbox", { name: "Search features" }).fill("bask");
  await row(page, "Winter sale").waitFor({ state: "detached" });
  await row(page, "Sticky basket").waitFor();
  await page.getByRole("button", { name: /Tag$/ }).click();
  await page.getByRole("option", { name: "basket" }).click();
  await page.getByRole("button", { name: /Lifecycle$/ }).click();
  await page.getByRole("option", { name: "Active" }).click();
  const address = new URL(page.url()).searchParams;
  assert.deepEqual(Object.fromEntries(address), { search: "bask", tag: "basket", lifecycle: "Active" });

  await page.reload();
  await row(page, "Sticky basket").waitFor();
  assert.equal(await page.getByRole("searchbox", { name: "Search features" }).inputValue(), "bask");
  await page.getByRole("searchbox", { name: "Search features" }).fill("no such feature");
  await page.locator(".state", { hasText: "No matching features" }).getByRole("button").click();
  await row(page, "Winter sale").waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("a feature is created, with errors at their fields", async () => {
  const page = await admin.as("editor", FEATURES);
  await page.getByRole("button", { name: "New feature" }).click();
  const dialog = page.getByRole("dialog", { name: "New feature" });
  await dialog.getByLabel("Name").fill("New checkout");
  assert.equal(await dialog.getByLabel("Key").inputValue(), "new-checkout");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  expectComplaint(page, /409/);

  await dialog.getByLabel("Key").fill("not a key");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog
    .locator(".field", { has: page.getByLabel("Key") })
    .locator(".field-error")
    .waitFor();
  expectComplaint(page, /422/);

  await dialog.getByLabel("Name").fill(STRANGE_NAME);
  await dialog.getByLabel("Key").fill("strange");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(`**${FEATURES}/strange`);
  assert.equal((await service.as("editor", "GET", "/projects/shop/features/strange")).lifecycle, "Draft");
});

test("names with <script>, quotes and right-to-left marks are shown as text", async () => {
  await service.as("editor", "POST", "/projects/shop/features", { key: "odd", name: STRANGE_NAME });
  const page = await admin.as("readOnly", `${FEATURES}?search=odd`);
  const name = page.locator("main .name-link bdi").first();
  await name.waitFor();
  assert.equal(await name.textContent(), STRANGE_NAME);
});

test("a feature is archived after a confirmation, and restored", async () => {
  const requireInProductionEu = (approvalRequired) =>
    service.as("administrator", "PATCH", "/projects/shop/environments/production-eu", { approvalRequired });
  await requireInProductionEu(false);
  const page = await admin.as("productionEditor", FEATURES);
  await page.getByRole("button", { name: "Actions for Gift cards" }).click();
  await page.getByRole("menuitem", { name: "Archive…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
  await row(page, "Gift cards").waitFor({ state: "detached" });
  await page.goto(`${FEATURES}?lifecycle=Archived`);
  await page.getByRole("button", { name: "Actions for Gift cards" }).click();
  await page.getByRole("menuitem", { name: "Restore" }).click();
  await row(page, "Gift cards").waitFor({ state: "detached" });
  assert.equal((await service.as("editor", "GET", "/projects/shop/features/gift-cards")).lifecycle, "Active");
  await requireInProductionEu(true);
});

test("a change that someone else made since is reported, and not overwritten", async () => {
  const page = await admin.as("editor", FEATURES);
  const control = switchOf(page, "Loyalty points", "Staging");
  await control.waitFor();
  await service.as("editor", "PATCH", "/projects/shop/features/loyalty-points/environments/staging", {
    enabled: false,
  });
  await service.as("editor", "PATCH", "/projects/shop/features/loyalty-points/environments/staging", { enabled: true });
  await control.press("Space");
  await status(page)
    .getByText("Loyalty points in Staging was not changed: someone else has just changed it.")
    .waitFor();
  expectComplaint(page, /412/);
  assert.equal(await isOn("loyalty-points", "staging"), true);
});

test("axe finds no violations in the list and its dialogs, in light and dark, wide and narrow", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", FEATURES, { width });
    await row(page, "New checkout").waitFor();
    await axeFindsNothing(page);
    await page.getByRole("button", { name: "New feature" }).click();
    await page.getByRole("dialog").waitFor();
    await axeFindsNothing(page);
  }
});

test("the list works with the keyboard only", async () => {
  const page = await admin.as("editor", FEATURES);
  const first = switchOf(page, "Banner colour", "Staging");
  await first.focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement.closest("[role=row]")?.ariaRowIndex === "3");
  assert.equal(
    await switchOf(page, "Dark roast weekend", "Staging").evaluate((one) => one === document.activeElement),
    true,
  );
  await page.keyboard.press("End");
  await page.waitForFunction(() => {
    const row = document.activeElement.closest("[role=row]");
    return row && Number(row.ariaRowIndex) === Number(row.closest("[role=table]").ariaRowCount);
  });
});

test("nothing moves while the list loads", async () => {
  const page = await admin.as("administrator", FEATURES);
  await row(page, "New checkout").waitFor();
  await page.reload();
  await row(page, "New checkout").waitFor();
  await nothingMoved(page);
});

test("of 1,000 features only the visible rows are rendered", async (t) => {
  const page = await admin.as("administrator", "/users");
  await addLargeProject(service);
  t.diagnostic(`interactive ${await openLargeList(page)} ms after its data`);
  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), `${MANY + 1}`);
  assert.ok((await page.getByRole("row").count()) < 100, "Only visible rows are rendered.");

  await page.getByRole("table").getByRole("link").first().focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement.textContent === "Feature 999");
});
