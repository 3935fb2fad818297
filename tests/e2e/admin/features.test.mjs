// The list of features: searched, filled, archived and restored. How features are turned on and off is in switches.test.mjs.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, hold, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { row, switchOf } from "../../support/admin/rows.mjs";
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

test("the environments move nothing when they are there before the features", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("readOnly", "/users", { width });
    const releaseFeatures = await hold(page, /\/features\?environments=true/);
    const releaseEnvironments = await hold(page, /\/environments\?/);
    const environments = page.waitForResponse(/\/environments\?/);
    await page.goto(FEATURES);
    await page.locator("main .table-row-loading").first().waitFor();
    await framesOf(page);
    releaseEnvironments();
    await (await environments).finished();
    await framesOf(page);
    await nothingMoved(page, `at ${width}, while the features are loading`);
    releaseFeatures();
    await page.locator("[data-index]").first().waitFor();
    await nothingMoved(page, `at ${width}`);
  }
});

/** Waits until what the page knows now is painted. */
const framesOf = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );

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

test("a search typed right before going back is not added to the URL of the page that opens", async () => {
  const page = await admin.as("readOnly", "/projects/shop/environments");
  await page.getByRole("link", { name: "Features", exact: true }).click();
  await row(page, "Winter sale").waitFor();
  // The page that was left has to be loaded again.
  await page.reload();
  await row(page, "Winter sale").waitFor();
  const loadScripts = await hold(page, "**/*.js");
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 60_000);
  await page.getByRole("searchbox", { name: "Search features" }).fill("bask");
  await page.goBack({ waitUntil: "commit" });
  await page.waitForURL("**/projects/shop/environments");
  await page.clock.runFor(1_000);
  await page.clock.resume();
  loadScripts();
  await page.getByRole("heading", { name: "Environments", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("a search finds the same features on the page as over REST: by key, name, tag and description", async () => {
  const changes = { tags: ["Kundenmeinung", "\u00c9t\u00e9"], description: "A point for each BAG." };
  await service.as("editor", "PATCH", "/projects/shop/features/loyalty-points", changes);
  const page = await admin.as("readOnly", FEATURES);
  for (const [search, found] of [
    ["LOYALTY-p", true],
    ["points loyalty", true],
    ["kundenMEINUNG", true],
    ["\u00e9t\u00c9", true],
    ["bag", true],
    ["each kunden loyalty-points", true],
    ["bag banner", false],
    ["  ", true],
  ]) {
    const query = `search=${encodeURIComponent(search)}`;
    const { items } = await service.as("readOnly", "GET", `/projects/shop/features?limit=200&${query}`);
    const expected = items.filter(({ lifecycle }) => lifecycle !== "Archived").map(({ key }) => key);
    assert.equal(expected.includes("loyalty-points"), found, search);
    await page.goto(`${FEATURES}?${query}`);
    await page.locator("main .state, main [role=table][aria-busy=false]").first().waitFor();
    assert.deepEqual(await page.locator(".features-key > code").allTextContents(), expected, search);
  }
});

test("tags and variants are entered in a new feature as in Edit: commas separate them, and Backspace removes none", async () => {
  const page = await admin.as("editor", FEATURES);
  const dialog = page.getByRole("dialog");
  const enter = async (label, text) => {
    await dialog.getByLabel(label, { exact: true }).focus();
    await page.keyboard.type(text);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press("Backspace");
  };
  const stored = async () => {
    const { tags, variants } = await service.as("editor", "GET", "/projects/shop/features/zones");
    return { tags, variants };
  };
  await page.getByRole("button", { name: "New feature" }).click();
  await dialog.getByLabel("Name").fill("Zones");
  await enter("Tags (optional)", "beta, web,");
  await enter("Variants", "blue,green,");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(`**${FEATURES}/zones`);
  assert.deepEqual(await stored(), { tags: ["beta", "web"], variants: ["on", "off", "blue", "green"] });

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await enter("Tags (optional)", "sale, checkout,");
  await enter("Variants", "red,");
  await dialog.getByRole("button", { name: "Remove beta" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await stored(), {
    tags: ["web", "sale", "checkout"],
    variants: ["on", "off", "blue", "green", "red"],
  });
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

test("every missing field of a new feature is marked at once, with what to do, and nothing is sent", async () => {
  const page = await admin.as("editor", FEATURES);
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.getByRole("button", { name: "New feature" }).click();
  const dialog = page.getByRole("dialog", { name: "New feature" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Enter the name.").waitFor();
  await dialog.getByText("Enter the key.").waitFor();
  for (const label of ["Name", "Key"])
    assert.equal(await dialog.getByLabel(label).getAttribute("aria-invalid"), "true");
  assert.ok(await dialog.getByLabel("Name").evaluate((field) => field === document.activeElement));
  await axeFindsNothing(page);
  assert.deepEqual(sent, []);
  await dialog.getByLabel("Name").fill("Filled in");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(`**${FEATURES}/filled-in`);
});

test("no refusal shows a position of a parser, the words of a program or a raw pointer", async () => {
  const page = await admin.as("editor", FEATURES);
  await page.getByRole("button", { name: "New feature" }).click();
  const dialog = page.getByRole("dialog", { name: "New feature" });
  const wrong = /line \d|column \d|\/|\bpointer\b|expected|unexpected|JSON|position/i;
  for (const [name, key, tags] of [
    ["A", "not a key", ""],
    ["A", "x".repeat(101), ""],
    ["   ", "fine", ""],
    ["A", "fine", `a, ${"x".repeat(300)}`],
    ["x".repeat(3_000), "fine", ""],
  ]) {
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Key").fill(key);
    await dialog.getByRole("textbox", { name: "Tags" }).fill(tags);
    const response = page.waitForResponse((one) => one.request().method() === "POST");
    await dialog.getByRole("button", { name: "Create" }).click();
    assert.equal((await response).status(), 422, `${name}, ${key}, ${tags}`);
    const error = dialog.locator(".field-error");
    await error.first().waitFor();
    expectComplaint(page, /422/);
    const text = await error.allInnerTexts();
    assert.equal(text.length, 1, `${text}`);
    assert.match(text[0], /^\S.*\.$/s);
    assert.doesNotMatch(text[0].replaceAll("x", ""), wrong);
  }
  // A response that another program has written.
  await page.route("**/ui/api/v1/projects/shop/features", (route) =>
    route.fulfill({ status: 201, contentType: "application/json", body: "<html>" }),
  );
  await dialog.getByRole("textbox", { name: "Tags" }).fill("");
  await dialog.getByLabel("Name").fill("A");
  await dialog.getByRole("button", { name: "Create" }).click();
  const alert = dialog.getByRole("alert");
  await alert.getByText("could not be read").waitFor();
  assert.doesNotMatch(await alert.textContent(), wrong);
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

async function allRowsAreCounted(page) {
  await page.waitForFunction((count) => document.querySelector("[role=table]").ariaRowCount === count, `${MANY + 1}`);
}

test("of 1,000 features only the visible rows are rendered", async (t) => {
  const page = await admin.as("administrator", "/users");
  await addLargeProject(service);
  t.diagnostic(`interactive ${await openLargeList(page)} ms after its data`);
  await allRowsAreCounted(page);
  assert.ok((await page.getByRole("row").count()) < 100, "Only visible rows are rendered.");

  await page.getByRole("table").getByRole("link").first().focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement.textContent === "Feature 999");
});

test("the first features are shown before the others are read; what needs all of them waits", async () => {
  const page = await admin.as("administrator", "/users");
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(/\/features\?.*cursor=/, async (route) => {
    await released;
    await route.continue();
  });
  const table = page.getByRole("table", { name: "Features" });
  await page.goto("/projects/large/features");
  await row(page, "Feature 0").waitFor();
  assert.equal(await table.getAttribute("aria-busy"), "true");
  assert.equal(await page.getByRole("checkbox", { name: "Select all" }).isDisabled(), true);
  assert.equal(await page.locator(".features-count").count(), 0);

  const search = page.getByRole("searchbox", { name: "Search features" });
  await search.fill("Feature 999");
  await row(page, "Feature 0").waitFor({ state: "detached" });
  assert.equal(await page.getByText("No matching features").count(), 0);
  release();
  await row(page, "Feature 999").waitFor();
  assert.equal(await table.getAttribute("aria-busy"), "false");
  await page
    .getByRole("status")
    .filter({ hasText: `1 of ${MANY}` })
    .waitFor();
  await search.fill("");
  await allRowsAreCounted(page);
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await page.getByText(`${MANY.toLocaleString("en")} selected`).waitFor();
});
