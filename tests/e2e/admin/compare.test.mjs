// Two environments compared, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import {
  ask,
  bar,
  dialog,
  differences,
  open,
  PAIR,
  project,
  row,
  shown,
  side,
} from "../../support/admin/comparison.mjs";
import { COUNTS, releaseDocument } from "../../support/admin/release.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("every feature that is not archived shows targeting, rules and off variant of both environments", async () => {
  const page = await open(admin, "readOnly", await project(admin), `${PAIR}&show=all`);
  assert.deepEqual(
    (await shown(page)).sort(),
    ["Banner", "Checkout", "Guarded", "Lane", "Preview", "Ranking", "Sameness", "Train", "Waiting"].sort(),
  );
  assert.deepEqual(await side(page, "Train", "source"), {
    Targeting: "On",
    "Off variant": "teal",
    Rules: "Half Everyone on 50% off 50%",
  });
  assert.deepEqual(await side(page, "Train", "target"), {
    Targeting: "Off",
    "Off variant": "off",
    Rules: "Everybody Everyone on 100%",
  });
  // An audience by its name, conditions in words, and no rule.
  assert.equal(
    (await side(page, "Sameness", "source")).Rules,
    'North Audience Nordic countries (country is one of "SE", "NO") on 100%',
  );
  assert.equal((await side(page, "Sameness", "target")).Rules, 'Up there country is one of "SE", "NO" on 100%');
  assert.equal((await side(page, "Preview", "target")).Rules, "No rules");
});

test("rules are shown whether targeting is on or off, and other rules under an off count as different", async () => {
  const page = await open(admin, "readOnly", await project(admin));
  for (const which of ["source", "target"]) assert.equal((await side(page, "Ranking", which)).Targeting, "Off");
  assert.equal((await side(page, "Ranking", "source")).Rules, "Half Everyone on 50% off 50%");
  assert.deepEqual(await differences(page, "Ranking"), ["Targeting rules"]);
});

test("the Differences column names what differs by exactly these labels", async () => {
  const page = await open(admin, "readOnly", await project(admin));
  await page.getByRole("columnheader", { name: "Differences", exact: true }).waitFor();
  assert.deepEqual(await differences(page, "Checkout"), ["On/off state"]);
  assert.deepEqual(await differences(page, "Banner"), ["Off variant"]);
  assert.deepEqual(await differences(page, "Preview"), ["Targeting rules"]);
  assert.deepEqual(await differences(page, "Train"), ["On/off state", "Off variant", "Targeting rules"]);
});

test("names of rules, and a saved audience beside the same conditions inline, are no difference", async () => {
  const page = await open(admin, "readOnly", await project(admin), `${PAIR}&show=all`);
  await row(page, "Sameness").getByText("Identical", { exact: true }).waitFor();
});

test("the header counts features that are different and identical", async () => {
  const page = await open(admin, "readOnly", await project(admin));
  await page.getByText(`${COUNTS.different} different`, { exact: true }).waitFor();
  await page.getByText(`${COUNTS.identical} identical`, { exact: true }).waitFor();
});

test("a toggle Different only / All features and a filter box narrow the list, and all of it is in the address", async () => {
  const page = await open(admin, "readOnly", await project(admin));
  assert.equal(await page.getByRole("radio", { name: "Different only" }).isChecked(), true);
  assert.equal((await shown(page)).includes("Sameness"), false);
  await page.getByText("All features", { exact: true }).click();
  await row(page, "Sameness").waitFor();
  await page.getByRole("searchbox", { name: "Find a feature" }).fill("ch");
  await row(page, "Sameness").waitFor({ state: "detached" });
  assert.deepEqual(await shown(page), ["Checkout"]);
  const address = Object.fromEntries(new URL(page.url()).searchParams);
  assert.deepEqual(address, { source: "staging", target: "production", show: "all", search: "ch" });

  await page.reload();
  await row(page, "Checkout").waitFor();
  assert.deepEqual(await shown(page), ["Checkout"]);
  assert.equal(await page.getByRole("radio", { name: "All features" }).isChecked(), true);
  await page.getByRole("searchbox", { name: "Find a feature" }).fill("nothing is called this");
  await page.getByRole("button", { name: "Clear the filter", exact: true }).last().click();
  await row(page, "Sameness").waitFor();
});

test("source and target can be picked and swapped", async () => {
  const page = await open(admin, "readOnly", await project(admin), `${PAIR}&show=all`);
  await page.getByRole("columnheader", { name: "Source: Staging" }).waitFor();
  await page.getByRole("button", { name: "Swap source and target" }).press("Enter");
  await page.getByRole("columnheader", { name: "Source: Production" }).waitFor();
  await page.getByRole("columnheader", { name: "Target: Staging" }).waitFor();
  assert.equal((await side(page, "Checkout", "source")).Targeting, "Off");
  assert.equal((await side(page, "Checkout", "target")).Targeting, "On");
  assert.match(page.url(), /source=production&target=staging/);

  await page.getByRole("button", { name: /Target$/ }).click();
  await page.getByRole("option", { name: "QA" }).click();
  await page.getByRole("columnheader", { name: "Target: QA" }).waitFor();
  // What stands on the other side already is meant the other way round.
  await page.getByRole("button", { name: /Target$/ }).click();
  await page.getByRole("option", { name: "Production" }).click();
  await page.waitForURL(/source=qa&target=production/);
});

test("without an address, what comes before production is compared with production", async () => {
  const page = await open(admin, "readOnly", await project(admin), "compare");
  await page.getByRole("columnheader", { name: "Target: Production" }).waitFor();
  assert.match(page.url(), /source=staging&target=production/);
});

test("chips tell of the pipeline, approvals, audiences copied inline, and what cannot be copied", async () => {
  const page = await open(admin, "readOnly", await project(admin));
  const chips = async (name) =>
    (await row(page, name).locator(".compare-chips .chip").allInnerTexts()).map((text) => text.trim());
  assert.deepEqual(await chips("Train"), ["Pipeline: Release train", "Approval required"]);
  assert.deepEqual(await chips("Lane"), ["Pipeline: Quick lane"]);
  assert.deepEqual(await chips("Guarded"), ["Approval required"]);
  assert.deepEqual(await chips("Preview"), ["Audience copied inline"]);
  assert.deepEqual(await chips("Waiting"), ["Approval required", "Cannot copy"]);
  assert.deepEqual(await chips("Checkout"), []);
});

test("the chip Approval required shows where the environment requires it, too", async () => {
  const page = await open(admin, "readOnly", await project(admin, { approvalRequired: true }));
  const chip = row(page, "Checkout").getByRole("button", { name: "Approval required" });
  await chip.press("Enter");
  await page.getByText("is held for approval: the environment Production requires it.").last().waitFor();
});

test("why a feature cannot be copied is read by keyboard and screen reader, with the way to the change that waits", async () => {
  const { at, waiting } = await project(admin);
  const page = await open(admin, "editor", { at });
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
  await note.getByRole("link", { name: "See the change that waits" }).press("Enter");
  await page.waitForURL(`**${at}/approvals/${waiting.id}`);
});

test("names with a script, quotes and marks of direction are shown as text", async () => {
  const strange = `<script>alert("1")</script> 'quoted' \u202eright to left`;
  const document = releaseDocument("strange");
  document.environments[2].name = strange;
  document.features[0].name = strange;
  document.features[0].targetings.staging.rules = [
    { ...document.features[0].targetings.staging.rules[0], name: strange },
  ];
  await service.import(document);
  const page = await open(admin, "administrator", { at: "/projects/strange" });
  const cell = page.getByRole("row").filter({ hasText: "checkout" });
  assert.equal(await cell.locator(".compare-link bdi").textContent(), strange);
  assert.equal(await cell.locator(".rule-name").first().textContent(), strange);
  await cell.getByRole("checkbox").press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  assert.equal(await dialog(page).locator(".compare-list-name bdi").textContent(), strange);
});

test("what cannot be compared is said: one environment, an unknown one, none that differs", async () => {
  const { at } = await project(admin);
  const page = await admin.as("readOnly", `${at}/compare?source=staging&target=staging`);
  await page.getByText("Source and target are the same").waitFor();
  await page.goto(`${at}/compare?source=staging&target=nowhere`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  expectComplaint(page, /404/);
  await page.goto(`${at}/compare?source=qa&target=production`);
  await page.getByText("No difference").waitFor();
  await page.getByRole("button", { name: "Show all features" }).click();
  await row(page, "Sameness").waitFor();
});

test("the comparison and its dialogs please axe, in light and dark, wide and narrow", async () => {
  for (const width of [1440, 360]) {
    const page = await open(admin, "productionEditor", await project(admin), `${PAIR}&show=all`, { width });
    await axeFindsNothing(page);
    await ask(page, ["Checkout", "Guarded", "Preview", "Lane"]);
    await axeFindsNothing(page);
    await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
    await dialog(page).getByRole("button", { name: "Done" }).waitFor();
    await axeFindsNothing(page);
  }
});

test("nothing moves while the comparison loads, and nothing is wider than a telephone", async () => {
  for (const width of [1440, 360]) {
    const page = await open(admin, "administrator", await project(admin), PAIR, { width });
    await page.reload();
    await row(page, "Checkout").waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }
});
