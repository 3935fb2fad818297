// The list of features for those who have many: order, owners, favourites, saved views, and changes of several features.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, startAdmin } from "../../support/admin/admin.mjs";

const FEATURES = "/projects/shop/features";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const rows = (page) => page.getByRole("table", { name: "Features" }).locator("[role=row][data-index]");
const feature = (key) => service.as("readOnly", "GET", `/projects/shop/features/${key}`);

/** Chooses in one of the fields above the list. */
async function choose(page, field, option) {
  await page.getByRole("button", { name: new RegExp(`${field}$`) }).press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
  await page.getByRole("listbox").waitFor({ state: "detached" });
}

async function waitForKeys(page, expected) {
  await page.waitForFunction((expected) => {
    const shown = [...document.querySelectorAll("[role=row][data-index] .features-key code")];
    return shown.map(({ textContent }) => textContent).join(" ") === expected;
  }, expected.join(" "));
}

/** Features of the tag `list`, of which the first has no owner. */
async function addFeatures(names) {
  const { id } = await service.as("editor", "GET", "/me");
  for (const [index, name] of names.entries()) {
    const key = name.toLowerCase();
    const body = { key, name, tags: ["list"], lifecycle: "Active", ...(index > 0 && { ownerId: id }) };
    await service.as("editor", "POST", "/projects/shop/features", body);
  }
}

test("the list is ordered by name, favourites, owner or lifecycle, and the address has the order", async () => {
  const items = (await service.as("readOnly", "GET", "/projects/shop/features?limit=200")).items;
  const live = items.filter(({ lifecycle }) => lifecycle !== "Archived");
  const page = await admin.as("readOnly", FEATURES);
  await waitForKeys(page, live.map(({ key }) => key).sort());
  await choose(page, "Order", "By name");
  const byName = live.toSorted((one, other) => one.name.localeCompare(other.name));
  await waitForKeys(
    page,
    byName.map(({ key }) => key),
  );
  assert.match(page.url(), /\?sort=name$/);
  await choose(page, "Order", "By lifecycle");
  const drafts = live.filter(({ lifecycle }) => lifecycle === "Draft").map(({ key }) => key);
  const active = live.filter(({ lifecycle }) => lifecycle === "Active").map(({ key }) => key);
  await waitForKeys(page, [...active, ...drafts]);
  await choose(page, "Order", "By owner");
  const byOwner = (name) => live.filter(({ owner }) => owner?.name === name).map(({ key }) => key);
  const owned = ["Alma Lindqvist", "Edda Okafor", "Pablo Reyes"].flatMap(byOwner);
  const expected = [...owned, ...live.map(({ key }) => key).filter((key) => !owned.includes(key))];
  await waitForKeys(page, expected);
  await page.reload();
  await waitForKeys(page, expected);
});

test("a favourite is marked for its person alone, and the list can show favourites only or first", async () => {
  const page = await admin.as("readOnly", FEATURES);
  const star = page.getByRole("button", { name: "Favourite: Reviews", exact: true });
  assert.equal(await star.getAttribute("aria-pressed"), "false");
  await star.press("Space");
  await page.locator('[aria-label="Favourite: Reviews"][aria-pressed="true"]').waitFor();
  await choose(page, "Order", "Favourites first");
  await page.waitForFunction(() => document.querySelector(".features-key code")?.textContent === "reviews");
  await axeFindsNothing(page);
  await page.getByRole("button", { name: "Favourites", exact: true }).press("Space");
  await waitForKeys(page, ["reviews"]);
  const other = await admin.as("editor", FEATURES);
  await other.locator('[aria-label="Favourite: Reviews"][aria-pressed="false"]').waitFor();
  await star.press("Space");
  await page.getByText("No matching features").waitFor();
});

test("of two windows that mark favourites at the same time, none loses the other's", async () => {
  const one = await admin.as("productionEditor", FEATURES);
  const other = await admin.as("productionEditor", "/users");
  const known = other.waitForResponse((response) => response.url().endsWith("/preferences"));
  await other.goto(FEATURES);
  await (await known).finished();
  await one.getByRole("button", { name: "Favourite: Reviews", exact: true }).press("Space");
  await one.locator('[aria-label="Favourite: Reviews"][aria-pressed="true"]').waitFor();
  // Its version is now an old one. The browser logs the refusal of the first attempt.
  await other.getByRole("button", { name: "Favourite: Winter sale", exact: true }).press("Space");
  await other.locator('[aria-label="Favourite: Winter sale"][aria-pressed="true"]').waitFor();
  await other.locator('[aria-label="Favourite: Reviews"][aria-pressed="true"]').waitFor();
  const saved = await service.as("productionEditor", "GET", "/projects/shop/preferences");
  assert.deepEqual(saved.favourites, ["reviews", "winter-sale"]);
  expectComplaint(other, /412/);
});

test("the owner of a feature is set on its page, and the list shows who owns what", async () => {
  await addFeatures(["Lime", "Mango"]);
  const page = await admin.as("editor", `${FEATURES}/lime`);
  await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
  const owner = page.getByRole("combobox", { name: "Owner" });
  await owner.fill("Pablo");
  await page.getByRole("option", { name: "Pablo Reyes" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page.getByText("Lime was saved.").waitFor();
  assert.equal((await feature("lime")).owner.name, "Pablo Reyes");
  await page.goto(`${FEATURES}?tag=list`);
  await waitForKeys(page, ["lime", "mango"]);
  await choose(page, "Owner", "Owned by me");
  await waitForKeys(page, ["mango"]);
  await choose(page, "Owner", "Pablo Reyes");
  await waitForKeys(page, ["lime"]);
  await choose(page, "Owner", "No owner");
  await page.getByText("No matching features").waitFor();
});

test("a view is saved under a name, opened from the menu, replaced and deleted", async () => {
  const page = await admin.as("readOnly", `${FEATURES}?tag=marketing&sort=name`);
  const open = () => page.getByRole("button", { name: "Views", exact: true }).press("Enter");
  const save = async (button) => {
    await open();
    await page.getByRole("menuitem", { name: "Save this view…" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Name").fill("Campaigns");
    await axeFindsNothing(page, ["light"]);
    await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await save("Save");
  await page.goto(FEATURES);
  await rows(page).first().waitFor();
  await open();
  await page.getByRole("menuitem", { name: "Campaigns" }).press("Enter");
  await page.waitForURL(/\?tag=marketing&sort=name$/);
  await choose(page, "Order", "By owner");
  await save("Replace");
  assert.deepEqual((await service.as("readOnly", "GET", "/projects/shop/preferences")).views, [
    { name: "Campaigns", query: "tag=marketing&sort=owner" },
  ]);
  // What is chosen next, before the page has rendered the view, adds to it.
  await page.goto(FEATURES);
  await rows(page).first().waitFor();
  await open();
  await page.getByRole("menuitem", { name: "Campaigns" }).evaluate((view) => {
    view.click();
    document.querySelector(".features-favourites").click();
  });
  await page.waitForURL(/\?tag=marketing&sort=owner&favourites=only$/);
  await open();
  await page.getByRole("menuitem", { name: "Delete views…" }).press("Enter");
  await page.getByRole("button", { name: "Delete Campaigns" }).press("Enter");
  await page.getByText("You have no saved views.").waitFor();
  assert.deepEqual((await service.as("readOnly", "GET", "/projects/shop/preferences")).views, []);
});

test("tags of several features are added and removed at once", async () => {
  await addFeatures(["Apple", "Banana", "Cherry"]);
  await service.as("editor", "PATCH", "/projects/shop/features/banana", { tags: ["list", "old"] });
  const page = await admin.as("editor", `${FEATURES}?tag=list`);
  for (const name of ["Apple", "Banana"]) await page.getByRole("checkbox", { name: `Select ${name}` }).press("Space");
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Tags…" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Change the tags of 2 features" });
  const add = dialog.getByRole("textbox", { name: "Add" });
  await add.fill("fruit, fresh");
  await add.press("Enter");
  await dialog.getByRole("checkbox", { name: "old" }).press("Space");
  await axeFindsNothing(page);
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("alertdialog", { name: "Results" }).getByText("2 features changed.").waitFor();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  const tags = await Promise.all(["apple", "banana", "cherry"].map(async (key) => (await feature(key)).tags));
  assert.deepEqual(tags, [["list", "fruit", "fresh"], ["list", "fruit", "fresh"], ["list"]]);
});

test("changing the tags of several features keeps the tags that others change meanwhile", async () => {
  await addFeatures(["Damson", "Elder"]);
  const hold = (key) =>
    service.as("administrator", "PATCH", `/projects/shop/features/${key}`, { tags: ["list", "hold"] });
  const page = await admin.as("editor", `${FEATURES}?tag=list`);
  for (const name of ["Damson", "Elder"]) await page.getByRole("checkbox", { name: `Select ${name}` }).press("Space");
  await page.getByRole("button", { name: "Tags…" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Change the tags of 2 features" });
  await dialog.getByRole("textbox", { name: "Add" }).fill("fruit,");
  // The list is read already.
  await hold("damson");
  // Even the feature is read already.
  let writes = 0;
  await page.route("**/features/elder", async (route) => {
    if (route.request().method() === "PATCH" && ++writes === 1) await hold("elder");
    await route.fallback();
  });
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("alertdialog", { name: "Results" }).getByText("2 features changed.").waitFor();
  const tags = await Promise.all(["damson", "elder"].map(async (key) => (await feature(key)).tags));
  assert.deepEqual(tags, Array(2).fill(["list", "hold", "fruit"]));
  expectComplaint(page, /status of 412/);
});

test("several features are archived at once; where an approval is required, it is requested", async () => {
  await addFeatures(["Papaya", "Quince", "Rhubarb"]);
  await service.as("administrator", "PATCH", "/projects/shop/features/quince", { approvalRequired: true });
  const page = await admin.as("administrator", `${FEATURES}?search=a&tag=list&lifecycle=Active`);
  for (const name of ["Papaya", "Rhubarb"]) await page.getByRole("checkbox", { name: `Select ${name}` }).press("Space");
  await page.getByRole("button", { name: "Archive…" }).press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Archive 2 features?" });
  await dialog.getByText("All need an approval.").waitFor();
  await dialog.getByLabel("Comment").fill("Nobody buys them");
  await axeFindsNothing(page);
  await dialog.getByRole("button", { name: "Request approval" }).press("Enter");
  const results = page.getByRole("alertdialog", { name: "Results" });
  await results.getByText("2 approvals requested.").waitFor();
  await results.getByRole("link", { name: "View request for Papaya" }).waitFor();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  const { items } = await service.as("editor", "GET", "/projects/shop/approvals?state=pending&featureKey=papaya");
  assert.deepEqual(
    items.map(({ comment }) => comment),
    ["Nobody buys them"],
  );
});

test("a person who may only read selects nothing", async () => {
  const page = await admin.as("readOnly", FEATURES);
  await rows(page).first().waitFor();
  assert.equal(await page.getByRole("checkbox").count(), 0);
});
