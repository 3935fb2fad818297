// Saved audiences: searched, created, edited and deleted, by each of the four roles.
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

const PROJECT = "/projects/cafe";
const PAGE = `${PROJECT}/audiences`;
const STRANGE = `<script>alert("1")</script> 'quoted' \u202eleft`;

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
  const make = (path, body) => service.as("administrator", "POST", path, body);
  await make("/projects", { key: "cafe", name: "Cafe" });
  await make(`${PROJECT}/environments`, { key: "staging", name: "Staging" });
  await make(`${PROJECT}/environments`, { key: "production", name: "Production", production: true });
  for (const [key, name] of [
    ["tea", "Tea menu"],
    ["cakes", "Cakes"],
  ]) {
    await make(`${PROJECT}/features`, { key, name });
  }
});
afterEach(() => admin.endTest());
after(() => admin.close());

const COUNTRY = [{ attribute: "country", operator: "in", values: ["SE", "NO"] }];

async function audience(key, own = {}) {
  const body = { key, name: `Audience ${key}`, conditions: COUNTRY, ...own };
  return service.as("administrator", "POST", PAGE, body);
}

const read = (key) => service.as("readOnly", "GET", `${PAGE}/${key}`);

async function use(audienceKey, feature, environment) {
  const rules = audienceKey ? [{ name: "", audienceKey, splits: [{ variantKey: "on", percentage: 100 }] }] : [];
  await service.as("administrator", "PATCH", `${PROJECT}/features/${feature}/environments/${environment}`, { rules });
}

const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
const condition = (page, number) => page.getByRole("group", { name: `Condition ${number}`, exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Selects an option in a field of a condition, by keyboard. */
async function choose(page, within, label, option) {
  await within.getByRole("button", { name: new RegExp(`${label}$`) }).press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
}

/** Closes the attribute suggestions, which open on focus. */
async function withoutSuggestions(page) {
  const suggestions = page.getByRole("listbox", { name: "Suggestions" });
  await suggestions.waitFor();
  await page.keyboard.press("Escape");
  await suggestions.waitFor({ state: "detached" });
}

async function attribute(page, number, name) {
  // A new condition has the focus.
  await page.waitForFunction((label) => {
    const { activeElement } = document;
    return activeElement.closest(`[aria-label="${label}"]`) && activeElement.getAttribute("role") === "combobox";
  }, `Condition ${number}`);
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
}

test("project-wide and environment audiences are distinguished, and filtered by name and scope", async () => {
  await audience("wide");
  await audience("narrow", { environmentKey: "staging", name: STRANGE });
  const page = await admin.as("readOnly", PAGE);
  await row(page, "Audience wide").getByText("Project-wide").waitFor();
  await row(page, "Audience wide").getByText('country is one of "SE", "NO"').waitFor();
  await row(page, STRANGE).getByText("Staging", { exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Search audiences" }).fill("wide");
  await row(page, STRANGE).waitFor({ state: "detached" });
  await page.getByRole("searchbox", { name: "Search audiences" }).fill("no such audience");
  await button(page, "Clear filters").last().click();
  await button(page, "Any scope Scope").press("Enter");
  await page.getByRole("option", { name: "Staging only" }).press("Enter");
  await row(page, "Audience wide").waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).searchParams.get("scope"), "staging");
  await page.reload();
  await row(page, STRANGE).waitFor();
  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), "2");
});

test("an audience is created with the keyboard only, with inputs that fit each operator", async () => {
  // High enough for six conditions: suggestions close when the dialog scrolls.
  const page = await admin.as("editor", PAGE, { height: 1400 });
  await button(page, "New audience").press("Enter");
  const dialog = page.getByRole("dialog", { name: "New audience" });
  await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Night owls");
  assert.equal(await dialog.getByLabel("Key").inputValue(), "night-owls");
  await dialog.getByText("No conditions: matches everyone").waitFor();
  const add = () => button(dialog, "Add condition").press("Enter");

  await add();
  await attribute(page, 1, "plan");
  await choose(page, condition(page, 1), "Operator", "is one of");
  await condition(page, 1).getByLabel("Values", { exact: true }).focus();
  await page.keyboard.type("pro");
  await page.keyboard.press("Enter");
  await page.keyboard.type("team");
  await page.keyboard.press("Enter");
  // Backspace in the empty field removes nothing.
  await page.keyboard.press("Backspace");

  await add();
  await attribute(page, 2, "flagservice.hourofday");
  await choose(page, condition(page, 2), "Operator", "is at least");
  await condition(page, 2).getByLabel("Number").focus();
  await page.keyboard.type("22");

  await add();
  await attribute(page, 3, "flagservice.date");
  await condition(page, 3).getByLabel("Date and time").fill("2026-11-21T10:42");

  await add();
  await attribute(page, 4, "beta");
  await choose(page, condition(page, 4), "Type", "Boolean");
  await choose(page, condition(page, 4), "Value", "false");

  await add();
  await attribute(page, 5, "email");
  await choose(page, condition(page, 5), "Operator", "matches");
  await condition(page, 5).getByLabel("Regular expression").focus();
  await page.keyboard.type("@cafe\\.example$");

  await add();
  await withoutSuggestions(page);
  await button(dialog, "Remove condition 6").press("Enter");
  await button(dialog, "Remove condition 5").and(page.locator(":focus")).waitFor();
  await button(dialog, "Create").press("Enter");
  await page.waitForURL(`**${PAGE}/night-owls`);
  const created = await read("night-owls");
  assert.equal(created.environmentKey ?? null, null);
  const [plan, hour, date, beta, email] = created.conditions;
  assert.deepEqual(plan, { attribute: "plan", operator: "in", values: ["pro", "team"] });
  assert.deepEqual(hour, { attribute: "flagservice.hourofday", operator: "greaterThanOrEqual", values: [22] });
  assert.deepEqual([date.attribute, date.operator], ["flagservice.date", "before"]);
  const typed = await page.evaluate(() => new Date("2026-11-21T10:42").getTime());
  assert.equal(new Date(date.values[0]).getTime(), typed);
  assert.deepEqual(beta, { attribute: "beta", operator: "equals", values: [false] });
  assert.deepEqual(email, { attribute: "email", operator: "matches", values: ["@cafe\\.example$"] });
});

test("the server's errors appear at their fields, and nothing typed is lost", async () => {
  await audience("flawed");
  const page = await admin.as("editor", `${PAGE}/flawed`);
  await condition(page, 1).waitFor();
  await button(page, "Add condition").click();
  await attribute(page, 2, "email");
  await choose(page, condition(page, 2), "Operator", "matches");
  await condition(page, 2).getByLabel("Regular expression").fill("(");
  await button(page, "Save").click();
  await condition(page, 2).locator(".field-error").getByText(/group/).waitFor();
  expectComplaint(page, /422/);
  assert.equal(await condition(page, 1).locator(".field-error").count(), 0);
  assert.equal(await condition(page, 2).getByLabel("Regular expression").inputValue(), "(");
  assert.equal((await read("flawed")).conditions.length, 1);
});

test('values keep their type: 18 is not "18"', async () => {
  await audience("kinds", { conditions: [{ attribute: "age", operator: "in", values: [18, "x"] }] });
  const page = await admin.as("editor", `${PAGE}/kinds`);
  await condition(page, 1).getByLabel("Values", { exact: true }).fill("21");
  await page.keyboard.press("Enter");
  await button(page, "Save").click();
  await page.getByText("Audience kinds was saved.").waitFor();
  // New values get the type of the first value; the others keep theirs.
  assert.deepEqual((await read("kinds")).conditions[0].values, [18, "x", 21]);
});

test("the page of an audience lists its uses, with links to the rules", async () => {
  await audience("used");
  await use("used", "tea", "staging");
  await use("used", "tea", "production");
  const page = await admin.as("readOnly", `${PAGE}/used`);
  const uses = page.getByRole("table", { name: "Uses" });
  await uses.getByRole("link", { name: "Tea menu in Production" }).waitFor();
  await uses.getByRole("row").last().getByText("Production").first().waitFor();
  await uses.getByRole("link", { name: "Tea menu in Staging" }).press("Enter");
  await page.waitForURL(`**${PROJECT}/features/tea/environments/staging`);
});

test("an edit that affects production asks for confirmation with the uses, and cancelling changes nothing", async () => {
  await audience("asked");
  await use("asked", "tea", "production");
  await use("asked", "cakes", "staging");
  const page = await admin.as("productionEditor", `${PAGE}/asked`);
  await button(page, "Add condition").press("Enter");
  await attribute(page, 2, "plan");
  await condition(page, 2).getByLabel("Value", { exact: true }).fill("pro");
  await button(page, "Save").press("Enter");
  const question = page.getByRole("alertdialog", { name: "Change targeting in production?" });
  await question.getByText("Tea menu").waitFor();
  await question.getByText("Cakes").waitFor();
  await escapeDialog(page);
  await question.waitFor({ state: "detached" });
  assert.deepEqual((await read("asked")).conditions, COUNTRY);
  await button(page, "Save").press("Enter");
  await question.getByRole("button", { name: "Change 2 uses" }).press("Enter");
  await page.getByText("Audience asked was saved.").waitFor();
  assert.equal((await read("asked")).conditions.length, 2);
  assert.equal(await button(page, "Save").isDisabled(), true);
});

test("conditions that need an approval somewhere are shown with the place and the remedy, and cannot be edited", async () => {
  await audience("locked");
  await use("locked", "tea", "staging");
  await use("locked", "cakes", "staging");
  await service.as("administrator", "PATCH", `${PROJECT}/features/cakes`, { approvalRequired: true });
  const page = await admin.as("editor", `${PAGE}/locked`);
  const why = page.getByRole("status").filter({ hasText: "a change requires an approval in" });
  await why.getByText("Cakes in Staging").waitFor();
  await why.getByText("Create another audience").waitFor();
  assert.equal(await why.getByText("Tea menu").count(), 0);
  assert.equal(await button(page, "Remove condition 1").count(), 0);
  await page.getByLabel("Name").fill("Renamed");
  await button(page, "Save").click();
  await page.getByText("Renamed was saved.").waitFor();
  await service.as("administrator", "PATCH", `${PROJECT}/features/cakes`, { approvalRequired: false });
  for (const feature of ["tea", "cakes"]) await use(undefined, feature, "staging");
});

test("an edit is refused, with all uses, if one of them needs approval meanwhile", async () => {
  await audience("gated");
  await use("gated", "tea", "staging");
  await use("gated", "cakes", "staging");
  const page = await admin.as("editor", `${PAGE}/gated`);
  await button(page, "Remove condition 1").click();
  await service.as("administrator", "PATCH", `${PROJECT}/features/cakes`, { approvalRequired: true });
  await button(page, "Save").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Change 2 uses" }).click();
  const refusal = page.getByRole("main").getByRole("alert");
  await refusal.getByText("cakes in staging").waitFor();
  await refusal.getByText("tea in staging").waitFor();
  await refusal.getByText("cakes in staging needs an approval").waitFor();
  expectComplaint(page, /409/);
  assert.deepEqual((await read("gated")).conditions, COUNTRY);
  await page.getByText("No conditions: matches everyone").waitFor();
  await service.as("administrator", "PATCH", `${PROJECT}/features/cakes`, { approvalRequired: false });
  for (const feature of ["tea", "cakes"]) await use(undefined, feature, "staging");
});

test("an audience cannot be deleted while it is used, even if the use is new", async () => {
  await audience("kept");
  await use("kept", "tea", "staging");
  const page = await admin.as("editor", `${PAGE}/kept`);
  await page.getByText("Can't be deleted while rules use it.").waitFor();
  assert.equal(await button(page, "Delete…").isDisabled(), true);
  await use(undefined, "tea", "staging");
  await page.reload();
  await page.getByText("Not used by any rule.").waitFor();
  await use("kept", "cakes", "staging");
  await button(page, "Delete…").press("Enter");
  const question = page.getByRole("alertdialog", { name: "Delete this audience?" });
  await question.getByRole("button", { name: "Delete audience" }).press("Enter");
  await question.getByRole("alert").getByText("cakes in staging").waitFor();
  expectComplaint(page, /409/);
  await use(undefined, "cakes", "staging");
  await question.getByRole("button", { name: "Delete audience" }).press("Enter");
  await page.waitForURL(`**${PAGE}`);
  const { items } = await service.as("readOnly", "GET", `${PAGE}?limit=200`);
  assert.ok(!items.some(({ key }) => key === "kept"));
});

test("each role sees the actions that it is allowed, and why it lacks the others", async () => {
  await audience("roles");
  await use("roles", "tea", "production");
  for (const role of ROLES) {
    const page = await admin.as(role, PAGE);
    await row(page, "Audience roles").waitFor();
    assert.equal(await button(page, "New audience").isVisible(), role !== "readOnly", role);
    await page.goto(`${PAGE}/roles`);
    await page.getByRole("table", { name: "Uses" }).getByRole("link").waitFor();
    const [name, conditions] = [page.getByLabel("Name"), condition(page, 1)];
    const may = ["administrator", "productionEditor"].includes(role);
    assert.equal(await name.isVisible(), role !== "readOnly", role);
    assert.equal(await conditions.isVisible(), may, role);
    assert.equal(await button(page, "Save").isVisible(), role !== "readOnly", role);
    const why = page.getByText("only production editors and administrators can change its conditions");
    assert.equal(await why.isVisible(), role === "editor", role);
    if (!may) await page.getByText('country is one of "SE", "NO"').waitFor();
  }
  const page = await admin.as("editor", `${PAGE}/roles`);
  await page.getByLabel("Name").fill("Renamed by an editor");
  await button(page, "Save").click();
  await page.getByRole("heading", { name: "Renamed by an editor" }).waitFor();
  await use(undefined, "tea", "production");
});

test("when someone else has saved first, both versions are shown and nothing typed is lost", async () => {
  await audience("shared");
  const page = await admin.as("editor", `${PAGE}/shared`);
  await page.getByLabel("Name").fill("Mine");
  await service.as("administrator", "PATCH", `${PAGE}/shared`, { name: "Theirs" });
  await button(page, "Save").click();
  await page.getByText("Someone else has saved changes since you started.").waitFor();
  expectComplaint(page, /412/);
  await page.locator(".diff .diff-before").getByText("Theirs").last().waitFor();
  await page.locator(".diff .diff-after").getByText("Mine").waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Mine");
  await button(page, "Save").click();
  await page.getByRole("heading", { name: "Mine" }).waitFor();

  await page.getByLabel("Name").fill("Mine again");
  await service.as("administrator", "PATCH", `${PAGE}/shared`, { name: "Theirs again" });
  await button(page, "Save").click();
  await button(page, "Use theirs").click();
  expectComplaint(page, /412/);
  assert.equal(await page.getByLabel("Name").inputValue(), "Theirs again");
  assert.equal((await read("shared")).name, "Theirs again");
});

test("nothing typed is lost when the session ends or the server is unreachable", async () => {
  await audience("typed");
  const page = await admin.as("editor", `${PAGE}/typed`);
  await page.getByLabel("Name").fill("Typed before the end");
  await page.context().clearCookies();
  await button(page, "Save").click();
  await page.getByLabel("Personal access token").fill(service.tokenOf("editor"));
  page.wrongs.splice(0);
  await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Typed before the end" }).waitFor();
  // Everything has been read again.
  await page.locator(".button-pending").waitFor({ state: "detached" });

  await page.getByLabel("Name").fill("Typed while unreachable");
  await service.kill();
  await button(page, "Save").click();
  await page.getByText("your input is still here").waitFor();
  await service.start();
  assert.equal(await page.getByLabel("Name").inputValue(), "Typed while unreachable");
  await button(page, "Save").click();
  await page.getByRole("heading", { name: "Typed while unreachable" }).waitFor();
  page.wrongs.splice(0);
});

test("names with <script>, quotes and right-to-left marks are shown as text", async () => {
  await audience("odd", { name: STRANGE, conditions: [{ attribute: STRANGE, operator: "equals", values: [STRANGE] }] });
  const page = await admin.as("readOnly", `${PAGE}/odd`);
  const words = page.getByRole("region", { name: "Definition" }).locator("bdi");
  await words.first().waitFor();
  assert.equal(await page.locator("h1 bdi").textContent(), STRANGE);
  assert.deepEqual(await words.allTextContents(), [STRANGE, `"${STRANGE}"`]);
});

test("axe finds no violations, in light and dark, wide and narrow; nothing moves while the list loads", async () => {
  await audience("seen");
  await use("seen", "tea", "production");
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", PAGE, { width });
    await row(page, "Audience seen").waitFor();
    await page.reload();
    await row(page, "Audience seen").waitFor();
    await nothingMoved(page, `the list at ${width}`);
    await axeFindsNothing(page);
    await button(page, "New audience").click();
    await button(page, "Add condition").click();
    await withoutSuggestions(page);
    await condition(page, 1).waitFor();
    await axeFindsNothing(page);
    await page.goto(`${PAGE}/seen`);
    await condition(page, 1).waitFor();
    await axeFindsNothing(page);
  }
  await use(undefined, "tea", "production");
});

test("of 1,000 audiences only the visible rows are rendered", async () => {
  await service.as("administrator", "POST", "/projects", { key: "large", name: "Large" });
  await service.as("administrator", "POST", "/projects/large/environments", { key: "production", name: "Production" });
  for (let index = 0; index < 1_000; index += 1) {
    const key = `many-${String(index).padStart(4, "0")}`;
    const body = { key, name: key, conditions: COUNTRY };
    await service.as("administrator", "POST", "/projects/large/audiences", body);
  }
  const page = await admin.as("readOnly", "/projects/large/audiences");
  await page.locator("[role=table][aria-rowcount='1001']").waitFor();
  assert.ok((await page.getByRole("row").count()) < 100);
  await page.getByRole("link", { name: "many-0000" }).focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement.textContent === "many-0999");
});
