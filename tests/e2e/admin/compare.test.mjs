// The comparison of two environments.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  axeFindsNothing,
  comeBackUntil,
  escapeDialog,
  expectComplaint,
  nothingMoved,
  startAdmin,
} from "../../support/admin/admin.mjs";
import {
  copyBar,
  createProject,
  dialog,
  differences,
  openComparison,
  openCopyDialog,
  PAIR,
  shownFeatures,
  targetingIn,
} from "../../support/admin/comparison.mjs";
import { COUNTS, releaseDocument, targetingPath } from "../../support/admin/release.mjs";
import { row } from "../../support/admin/rows.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("every feature that is not archived shows its targeting, rules and off variant in both environments", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin), `${PAIR}&show=all`);
  assert.deepEqual(
    (await shownFeatures(page)).sort(),
    ["Banner", "Checkout", "Guarded", "Lane", "Preview", "Ranking", "Sameness", "Train", "Waiting"].sort(),
  );
  assert.deepEqual(await targetingIn(page, "Train", "source"), {
    Targeting: "On",
    "Off variant": "teal",
    Rules: "Half Everyone on 50% off 50%",
  });
  assert.deepEqual(await targetingIn(page, "Train", "target"), {
    Targeting: "Off",
    "Off variant": "off",
    Rules: "Everybody Everyone on 100%",
  });
  // An audience by name, conditions as text, and no rules.
  assert.equal(
    (await targetingIn(page, "Sameness", "source")).Rules,
    'North Audience Nordic countries (country is one of "SE", "NO") on 100%',
  );
  assert.equal((await targetingIn(page, "Sameness", "target")).Rules, 'Up there country is one of "SE", "NO" on 100%');
  assert.equal((await targetingIn(page, "Preview", "target")).Rules, "No rules");
});

test("rules are shown whether targeting is on or off, and different rules count as a difference even when it is off", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin));
  for (const which of ["source", "target"]) assert.equal((await targetingIn(page, "Ranking", which)).Targeting, "Off");
  assert.equal((await targetingIn(page, "Ranking", "source")).Rules, "Half Everyone on 50% off 50%");
  assert.deepEqual(await differences(page, "Ranking"), ["Targeting rules"]);
});

test("the Differences column has exactly the labels On/off state, Off variant and Targeting rules", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin));
  await page.getByRole("columnheader", { name: "Differences", exact: true }).waitFor();
  assert.deepEqual(await differences(page, "Checkout"), ["On/off state"]);
  assert.deepEqual(await differences(page, "Banner"), ["Off variant"]);
  assert.deepEqual(await differences(page, "Preview"), ["Targeting rules"]);
  assert.deepEqual(await differences(page, "Train"), ["On/off state", "Off variant", "Targeting rules"]);
});

test("rule names, and a saved audience versus the same conditions inline, are not differences", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin), `${PAIR}&show=all`);
  await row(page, "Sameness").getByText("Identical", { exact: true }).waitFor();
});

test("the header counts different and identical features", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin));
  await page.getByText(`${COUNTS.different} different`, { exact: true }).waitFor();
  await page.getByText(`${COUNTS.identical} identical`, { exact: true }).waitFor();
});

test("a toggle Different only / All features and a search field filter the list, and are part of the URL", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin));
  assert.equal(await page.getByRole("radio", { name: "Different only" }).isChecked(), true);
  assert.equal((await shownFeatures(page)).includes("Sameness"), false);
  await page.getByText("All features", { exact: true }).click();
  await row(page, "Sameness").waitFor();
  await page.getByRole("searchbox", { name: "Search features" }).fill("ch");
  await row(page, "Sameness").waitFor({ state: "detached" });
  assert.deepEqual(await shownFeatures(page), ["Checkout"]);
  const address = Object.fromEntries(new URL(page.url()).searchParams);
  assert.deepEqual(address, { source: "staging", target: "production", show: "all", search: "ch" });

  await page.reload();
  await row(page, "Checkout").waitFor();
  assert.deepEqual(await shownFeatures(page), ["Checkout"]);
  assert.equal(await page.getByRole("radio", { name: "All features" }).isChecked(), true);
  await page.getByRole("searchbox", { name: "Search features" }).fill("no such feature");
  await page.getByRole("button", { name: "Clear search", exact: true }).last().click();
  await row(page, "Sameness").waitFor();
});

test("the search covers key, name, tags and description, as that of the feature list does", async () => {
  const { at, key } = await createProject(admin);
  const words = { description: "The page before the payment.", tags: ["Purchase"] };
  await admin.service.as("administrator", "PATCH", `/projects/${key}/features/checkout`, words);
  for (const search of ["PAYMENT", "purchase", "checkout before"]) {
    const page = await openComparison(admin, "readOnly", { at }, `${PAIR}&search=${encodeURIComponent(search)}`);
    assert.deepEqual(await shownFeatures(page), ["Checkout"], search);
  }
});

test("source and target can be selected and swapped", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin), `${PAIR}&show=all`);
  await page.getByRole("columnheader", { name: "Source: Staging" }).waitFor();
  await page.getByRole("button", { name: "Swap source and target" }).press("Enter");
  await page.getByRole("columnheader", { name: "Source: Production" }).waitFor();
  await page.getByRole("columnheader", { name: "Target: Staging" }).waitFor();
  assert.equal((await targetingIn(page, "Checkout", "source")).Targeting, "Off");
  assert.equal((await targetingIn(page, "Checkout", "target")).Targeting, "On");
  assert.match(page.url(), /source=production&target=staging/);

  await page.getByRole("button", { name: /Target$/ }).click();
  await page.getByRole("option", { name: "QA" }).click();
  await page.getByRole("columnheader", { name: "Target: QA" }).waitFor();
  // Selecting the environment of the other side swaps the two.
  await page.getByRole("button", { name: /Target$/ }).click();
  await page.getByRole("option", { name: "Production" }).click();
  await page.waitForURL(/source=qa&target=production/);
});

test("by default production is compared with the environment before it", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin), "compare");
  await page.getByRole("columnheader", { name: "Target: Production" }).waitFor();
  assert.match(page.url(), /source=staging&target=production/);
});

test("chips show the pipeline, approvals, audiences copied inline, and what cannot be copied", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin));
  const chips = async (name) =>
    (await row(page, name).locator(".compare-chips .chip").allInnerTexts()).map((text) => text.trim());
  assert.deepEqual(await chips("Train"), ["Pipeline: Release train", "Approval required"]);
  assert.deepEqual(await chips("Lane"), ["Pipeline: Quick lane"]);
  assert.deepEqual(await chips("Guarded"), ["Approval required"]);
  assert.deepEqual(await chips("Preview"), ["Audience copied inline"]);
  assert.deepEqual(await chips("Waiting"), ["Approval required", "Cannot copy"]);
  assert.deepEqual(await chips("Checkout"), []);
});

test("the chip Approval required is also shown when the environment requires it", async () => {
  const page = await openComparison(admin, "readOnly", await createProject(admin, { approvalRequired: true }));
  const chip = row(page, "Checkout").getByRole("button", { name: "Approval required" });
  await chip.press("Enter");
  await page.getByText("Approval to copy to Production is required by environment Production.").last().waitFor();
});

test("why a feature cannot be copied is available to keyboard and screen reader, with a link to the pending change", async () => {
  const { at, waiting } = await createProject(admin);
  const page = await openComparison(admin, "editor", { at });
  const chip = row(page, "Waiting").getByRole("button", { name: "Cannot copy" });
  const { chips } = (
    await service.as("readOnly", "GET", `${at}/environments/compare?source=staging&target=production`)
  ).features.find(({ key }) => key === "waiting");
  const spoken = await chip.evaluate(
    (one) => document.getElementById(one.getAttribute("aria-describedby")).textContent,
  );
  assert.equal(spoken, chips.cannotCopy.reason);
  await chip.press("Enter");
  const note = page.getByRole("dialog", { name: "Cannot copy" });
  await note.getByText(chips.cannotCopy.reason).waitFor();
  await note.getByRole("link", { name: "View pending change" }).press("Enter");
  await page.waitForURL(`**${at}/approvals/${waiting.id}`);
});

test("names with <script>, quotes and right-to-left marks are shown as text", async () => {
  const strange = `<script>alert("1")</script> 'quoted' \u202eright to left`;
  const document = releaseDocument("strange");
  document.environments[2].name = strange;
  document.features[0].name = strange;
  document.features[0].targetings.staging.rules = [
    { ...document.features[0].targetings.staging.rules[0], name: strange },
  ];
  await service.import(document);
  const page = await openComparison(admin, "administrator", { at: "/projects/strange" });
  const cell = page.getByRole("row").filter({ hasText: "checkout" });
  assert.equal(await cell.locator(".name-link bdi").textContent(), strange);
  assert.equal(await cell.locator(".rule-name").first().textContent(), strange);
  await cell.getByRole("checkbox").press("Space");
  await copyBar(page).getByRole("button").last().press("Enter");
  assert.equal(await dialog(page).locator(".result-list-name bdi").textContent(), strange);
});

test("the page explains when there is nothing to compare: the same environment, an unknown one, no differences", async () => {
  const { at } = await createProject(admin);
  const page = await admin.as("readOnly", `${at}/compare?source=staging&target=staging`);
  await page.getByText("Source and target are the same").waitFor();
  await page.goto(`${at}/compare?source=staging&target=nowhere`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  expectComplaint(page, /404/);
  await page.goto(`${at}/compare?source=qa&target=production`);
  await page.getByText("No differences").waitFor();
  await page.getByRole("button", { name: "Show all features" }).click();
  await row(page, "Sameness").waitFor();
});

test("a read in the background that fails takes away neither the selection, nor an open dialog, nor its comment", async () => {
  const { at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  await openCopyDialog(page, ["Checkout", "Lane"]);
  await dialog(page).getByLabel("Comment").fill("As tested this week.");
  const problem = { type: "about:blank", title: "Error", status: 500, detail: "Broken." };
  await page.route(/\/environments(\/compare|\?|$)/, (route) => route.fulfill({ status: 500, json: problem }));
  const failed = (path) =>
    page.waitForResponse((one) => one.status() === 500 && new URL(one.url()).pathname.endsWith(path));
  await comeBackUntil(page, Promise.all([failed("/environments"), failed("/environments/compare")]));
  // Until the pages have given up repeating it.
  await comeBackUntil(page, failed("/environments/compare"));
  assert.equal(await dialog(page).getByLabel("Comment").inputValue(), "As tested this week.");
  await escapeDialog(page);
  await copyBar(page).getByText("2 selected").waitFor();
  await row(page, "Checkout").waitFor();
  // Chromium logs each of them.
  page.wrongs = page.wrongs.filter((text) => !/500/.test(text));
});

test("a feature that could not be copied meanwhile is not selected again by itself", async () => {
  const { key, at } = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", { at });
  for (const name of ["Checkout", "Lane"]) await page.getByRole("checkbox", { name: `Select ${name}` }).press("Space");
  await copyBar(page).getByText("2 selected").waitFor();
  const switchIt = (enabled) =>
    service.as("administrator", "PATCH", targetingPath(key, "checkout", "production"), { enabled });
  await switchIt(true);
  await comeBackUntil(page, row(page, "Checkout").waitFor({ state: "detached" }));
  await copyBar(page).getByText("1 selected").waitFor();
  await switchIt(false);
  await comeBackUntil(page, row(page, "Checkout").waitFor());
  await copyBar(page).getByText("1 selected").waitFor();
  assert.equal(await page.getByRole("checkbox", { name: "Select Checkout" }).isChecked(), false);
});

test("where there is nothing to copy there is no copy bar", async () => {
  const { at } = await createProject(admin);
  const page = await openComparison(admin, "administrator", { at });
  await copyBar(page).waitFor();
  for (const [query, text] of [
    ["compare?source=staging&target=staging", "Source and target are the same"],
    ["compare?source=qa&target=production", "No differences"],
    [`${PAIR}&search=nothing-like-it`, "No matching features"],
  ]) {
    await page.goto(`${at}/${query}`);
    await page.getByText(text).waitFor();
    assert.equal(await copyBar(page).count(), 0, query);
  }
});

test("axe finds no violations in the comparison and its dialogs, in light and dark, wide and narrow", async () => {
  for (const width of [1440, 360]) {
    const page = await openComparison(admin, "productionEditor", await createProject(admin), `${PAIR}&show=all`, {
      width,
    });
    await axeFindsNothing(page);
    await openCopyDialog(page, ["Checkout", "Guarded", "Preview", "Lane"]);
    await axeFindsNothing(page);
    await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
    await dialog(page).getByRole("button", { name: "Done" }).waitFor();
    await axeFindsNothing(page);
  }
});

test("nothing moves while the comparison loads, and it fits a phone", async () => {
  for (const width of [1440, 360]) {
    const page = await openComparison(admin, "administrator", await createProject(admin), PAIR, { width });
    await page.reload();
    await row(page, "Checkout").waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }
});
