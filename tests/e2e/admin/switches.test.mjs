// The switches of the list of features: what they show, and how each of the four roles turns features on and off with them.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  axeFindsNothing,
  comeBackUntil,
  escapeDialog,
  expectComplaint,
  ROLES,
  startAdmin,
} from "../../support/admin/admin.mjs";
import { row, switchOf } from "../../support/admin/rows.mjs";

const FEATURES = "/projects/shop/features";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

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

test("a cell says what is served, in words, and warns where targeting is on and everyone gets the off variant", async () => {
  const place = (feature, environment) => `/projects/shop/features/${feature}/environments/${environment}`;
  await service.as("editor", "PATCH", place("winter-sale", "development"), { enabled: true, rules: [] });
  const page = await admin.as("readOnly", FEATURES);
  for (const [feature, name, expected] of [
    ["new-checkout", "New checkout", { development: "on 100%", staging: "on 100%", production: "serves off" }],
    ["loyalty-points", "Loyalty points", { staging: "on 50%", production: "on 10%" }],
    ["recommendations", "Recommendations", { production: "on for 1 rule" }],
  ]) {
    for (const [environment, served] of Object.entries(expected)) {
      const link = row(page, name).locator(`a[href$="${place(feature, environment)}"]`);
      assert.equal(await link.textContent(), served, `${feature} in ${environment}`);
      const label = `${served}: targeting of ${name} in ${environment[0].toUpperCase()}${environment.slice(1)}`;
      assert.equal(await link.getAttribute("aria-label"), label);
      assert.equal(await link.locator("svg").count(), 0, `no sign: ${feature} in ${environment}`);
    }
  }
  const label = "serves off, although targeting is on: targeting of Winter sale in Development";
  const warned = page.getByRole("link", { name: label, exact: true });
  await warned.locator("svg").waitFor();
  assert.equal(await warned.textContent(), "serves off");
  await axeFindsNothing(page);
});

test("a switch outside production takes effect immediately", async () => {
  const page = await admin.as("editor", FEATURES);
  const control = switchOf(page, "Search suggestions", "Staging");
  for (const [state, on] of [
    ["off", false],
    ["on", true],
  ]) {
    await control.press("Space");
    await status(page).getByText(`Search suggestions in Staging is ${state}.`).waitFor();
    assert.equal(await control.isChecked(), on);
    assert.equal(await isOn("search-suggestions", "staging"), on);
  }
});

test("turning on a feature without rules offers first to serve a variant to everyone, and else says what is served", async () => {
  const page = await admin.as("editor", FEATURES);
  const sent = [];
  page.on("request", (request) => request.method() === "PATCH" && sent.push(request.url()));
  await switchOf(page, "Gift cards", "Staging").press("Space");
  const question = page.getByRole("alertdialog", { name: "Turn on in Staging?" });
  const everyone = question.getByRole("radio", { name: /^Serve on to everyone/ });
  assert.equal(await everyone.isChecked(), true);
  await axeFindsNothing(page);
  await question.getByRole("button", { name: "Turn on in Staging" }).press("Enter");
  await status(page).getByText("Gift cards in Staging is on, and serves on to everyone.").waitFor();
  const { enabled, rules } = await service.as("editor", "GET", `${FEATURES}/gift-cards/environments/staging`);
  assert.deepEqual([enabled, rules.map(({ splits }) => splits)], [true, [[{ variantKey: "on", percentage: 100 }]]]);
  assert.equal(sent.length, 1, "The rule is added in the request that turns it on.");

  await switchOf(page, "Gift cards", "Development").press("Space");
  await page.getByRole("radio", { name: /^Turn on without rules: serves off/ }).press("Space");
  await page.getByRole("button", { name: "Turn on in Development" }).press("Enter");
  await status(page).getByText("Gift cards in Development is on without rules: everyone gets off.").waitFor();
  const empty = await service.as("editor", "GET", `${FEATURES}/gift-cards/environments/development`);
  assert.deepEqual([empty.enabled, empty.rules], [true, []]);
});

test("without a variant on, turning on offers the first variant besides the off variant", async () => {
  await service.as("administrator", "POST", "/projects/shop/features", {
    key: "tea-colours",
    name: "Tea colours",
    variants: ["off", "teal", "plum"],
  });
  const page = await admin.as("editor", `${FEATURES}?search=tea-colours`);
  await switchOf(page, "Tea colours", "Staging").press("Space");
  await page.getByRole("radio", { name: /^Serve teal to everyone/ }).waitFor();
  await page.getByRole("radio", { name: /^Turn on without rules: serves off/ }).waitFor();
});

test("a switch in production asks for confirmation, and cancelling changes nothing", async () => {
  const page = await admin.as("productionEditor", FEATURES);
  const control = switchOf(page, "New checkout", "Production");
  await control.press("Space");
  const confirmation = page.getByRole("alertdialog", { name: "Turn on in production?" });
  await confirmation.getByText("New checkout").waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await escapeDialog(page);
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
  await row(page, "Reviews").getByText("Approval required").first().waitFor();
  await switchOf(page, "Reviews", "Development").press("Space");
  const question = page.getByRole("alertdialog", { name: "Request approval to turn off in Development?" });
  await question.getByText("Approval is required by this feature. Nothing changes until").waitFor();
  assert.equal(await question.getByText("immediately").count(), 0);
  await axeFindsNothing(page);
  await question.getByLabel("Comment").fill("Too slow on telephones");
  await question.getByRole("button", { name: "Request approval" }).press("Enter");
  await status(page).getByText("Approval requested to turn Reviews in Development off. Nothing has changed").waitFor();
  await status(page).getByRole("link", { name: "View request" }).click();
  await page.waitForURL("**/projects/shop/approvals/*");
  const { items } = await service.as("editor", "GET", "/projects/shop/approvals?state=pending&featureKey=reviews");
  assert.deepEqual(
    items.map(({ comment }) => comment),
    ["Too slow on telephones"],
  );
  assert.ok(page.url().endsWith(`/projects/shop/approvals/${items[0].id}`), page.url());
  assert.equal(await isOn("reviews", "development"), true);
  await page.goBack();
  await switchOf(page, "Reviews", "Development").waitFor();
  assert.equal(await switchOf(page, "Reviews", "Development").isChecked(), true);
  // Until it is decided, no other change can be requested there.
  const pending = page.getByRole("link", { name: "Pending approval: Reviews in Development" });
  await pending.waitFor();
  assert.equal(await switchOf(page, "Reviews", "Development").isDisabled(), true);
  await pending.click();
  await page.waitForURL(`**/projects/shop/approvals/${items[0].id}`);
});

test("wherever a change requires approval a shield says so, before any is requested, and the question names what requires it", async () => {
  const page = await admin.as("productionEditor", FEATURES);
  const cell = (feature, environment) =>
    row(page, feature)
      .getByRole("cell")
      .filter({ has: switchOf(page, feature, environment) });
  await switchOf(page, "Winter sale", "Production EU").waitFor();
  for (const [feature, environment, gate] of [
    ["Winter sale", "Production EU", "Production EU"],
    ["Price guarantee", "Production", "phase Ship of pipeline Release"],
    ["Subscription plans", "Development", "this feature"],
  ]) {
    await cell(feature, environment).getByText("Approval required").waitFor({ state: "attached" });
    await switchOf(page, feature, environment).press("Space");
    const question = page.getByRole("alertdialog", { name: /^Request approval to turn (on|off) in / });
    await question.getByText(`Approval is required by ${gate}.`).waitFor();
    await question.getByRole("button", { name: "Cancel" }).press("Enter");
    await question.waitFor({ state: "detached" });
  }
  assert.equal(await cell("Winter sale", "Production").getByText("Approval required").count(), 0);
  assert.equal(await cell("Price guarantee", "Staging").getByText("Approval required").count(), 0);
});

test("when the server refuses, the question stays open with the reason and what was typed", async () => {
  const page = await admin.as("productionEditor", FEATURES);
  await switchOf(page, "Winter sale", "Production EU").press("Space");
  const question = page.getByRole("alertdialog");
  await question.getByLabel("Comment").fill("Winter is over");
  await service.as("productionEditor", "PATCH", `${FEATURES}/winter-sale/environments/production-eu`, {
    offVariantKey: "on",
  });
  await question.getByRole("button", { name: "Request approval" }).press("Enter");
  await question.getByRole("alert").getByText("waits for approval").waitFor();
  expectComplaint(page, /409/);
  assert.equal(await question.getByLabel("Comment").inputValue(), "Winter is over");
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

test("a question about turning off never becomes one about turning on: it closes when someone else changes the state", async () => {
  const at = `${FEATURES}/free-shipping-banner/environments/production`;
  const turn = (enabled) => service.as("productionEditor", "PATCH", at, { enabled });
  const page = await admin.as("administrator", FEATURES);
  const sent = [];
  page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postData()));
  const control = switchOf(page, "Free shipping banner", "Production");
  const question = page.getByRole("alertdialog", { name: "Turn off in production?" });

  await control.press("Space");
  await question.waitFor();
  await turn(false);
  await comeBackUntil(page, page.getByRole("alertdialog").waitFor({ state: "detached" }));
  await status(page).getByText("Free shipping banner in Production is already off.").waitFor();

  await turn(true);
  await page.reload();
  await control.press("Space");
  await question.waitFor();
  await turn(false);
  await turn(true);
  await comeBackUntil(page, page.getByRole("alertdialog").waitFor({ state: "detached" }));
  await status(page).getByText("was not changed: someone else has just changed it. Check it again.").waitFor();
  assert.deepEqual([sent, await isOn("free-shipping-banner", "production")], [[], true]);
});

test("a question answered after someone else's change, before the page has read it, changes nothing", async () => {
  const at = `${FEATURES}/free-shipping-banner/environments/production`;
  const page = await admin.as("administrator", FEATURES);
  await switchOf(page, "Free shipping banner", "Production").press("Space");
  await page.getByRole("alertdialog", { name: "Turn off in production?" }).waitFor();
  await service.as("productionEditor", "PATCH", at, { enabled: false });
  await page.getByRole("button", { name: "Turn off in Production" }).press("Enter");
  await status(page).getByText("was not changed: someone else has just changed it. Check it again.").waitFor();
  expectComplaint(page, /412/);
  assert.equal(await isOn("free-shipping-banner", "production"), false);
});
