// Two environments compared, and copied from one to the other, by each of the four roles.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { project as thousand } from "../../campaigns/release/project.mjs";
import { axeFindsNothing, expectComplaint, layoutShift, ROLES, startAdmin } from "./pages.mjs";
import { COUNTS, release, releaseDocument, targeting } from "./release.mjs";

const PAIR = "compare?source=staging&target=production";

/** How often speed is measured: other work on the machine is no fault of the page, and the best run counts. */
const RUNS = 3;

let admin;
let service;
let number = 0;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** A project of its own for a test. */
function project(more) {
  number += 1;
  return release(service, `release-${number}`, more);
}

const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
const tick = (page, name) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const bar = (page) => page.getByRole("region", { name: "Copy" });
const dialog = (page) => page.getByRole("alertdialog");
const shown = (page) => page.locator("[role=row] .compare-link").allInnerTexts();
const differences = (page, name) =>
  row(page, name).getByRole("list", { name: "Differences" }).getByRole("listitem").allInnerTexts();

/** What stands on one side of a row, line by line. */
async function side(page, name, which) {
  const cell = row(page, name).getByRole("cell").nth({ source: -2, target: -1 }[which]);
  const [terms, values] = [await cell.locator("dt").allInnerTexts(), await cell.locator("dd").allInnerTexts()];
  return Object.fromEntries(terms.map((term, index) => [term, values[index].replace(/\s+/g, " ")]));
}

async function open(role, { at }, query = PAIR, options) {
  const page = await admin.as(role, `${at}/${query}`, options);
  await page.locator("[data-index]").first().waitFor();
  return page;
}

/** Selects features, and opens the confirmation. */
async function ask(page, names) {
  for (const name of names) await tick(page, name).press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  await dialog(page).waitFor();
}

const results = (page) => dialog(page).getByRole("list", { name: "Results" }).getByRole("listitem");

test("every feature that is not archived shows targeting, rules and off variant of both environments", async () => {
  const page = await open("readOnly", await project(), `${PAIR}&show=all`);
  assert.deepEqual(
    (await shown(page)).sort(),
    ["Banner", "Checkout", "Guarded", "Lane", "Preview", "Ranking", "Sameness", "Train", "Waiting"].sort(),
  );
  assert.deepEqual(await side(page, "Train", "source"), {
    Targeting: "On",
    "Off variant": "teal",
    Rules: "Half Everybody on 50% off 50%",
  });
  assert.deepEqual(await side(page, "Train", "target"), {
    Targeting: "Off",
    "Off variant": "off",
    Rules: "Everybody Everybody on 100%",
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
  const page = await open("readOnly", await project());
  for (const which of ["source", "target"]) assert.equal((await side(page, "Ranking", which)).Targeting, "Off");
  assert.equal((await side(page, "Ranking", "source")).Rules, "Half Everybody on 50% off 50%");
  assert.deepEqual(await differences(page, "Ranking"), ["Targeting rules"]);
});

test("the Differences column names what differs by exactly these labels", async () => {
  const page = await open("readOnly", await project());
  await page.getByRole("columnheader", { name: "Differences", exact: true }).waitFor();
  assert.deepEqual(await differences(page, "Checkout"), ["On/off state"]);
  assert.deepEqual(await differences(page, "Banner"), ["Off variant"]);
  assert.deepEqual(await differences(page, "Preview"), ["Targeting rules"]);
  assert.deepEqual(await differences(page, "Train"), ["On/off state", "Off variant", "Targeting rules"]);
});

test("names of rules, and a saved audience beside the same conditions inline, are no difference", async () => {
  const page = await open("readOnly", await project(), `${PAIR}&show=all`);
  await row(page, "Sameness").getByText("Identical", { exact: true }).waitFor();
});

test("the header counts features that are different and identical", async () => {
  const page = await open("readOnly", await project());
  await page.getByText(`${COUNTS.different} different`, { exact: true }).waitFor();
  await page.getByText(`${COUNTS.identical} identical`, { exact: true }).waitFor();
});

test("a toggle Different only / All features and a filter box narrow the list, and all of it is in the address", async () => {
  const page = await open("readOnly", await project());
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
  const page = await open("readOnly", await project(), `${PAIR}&show=all`);
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
  const page = await open("readOnly", await project(), "compare");
  await page.getByRole("columnheader", { name: "Target: Production" }).waitFor();
  assert.match(page.url(), /source=staging&target=production/);
});

test("chips tell of the pipeline, approvals, audiences copied inline, and what cannot be copied", async () => {
  const page = await open("readOnly", await project());
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
  const page = await open("readOnly", await project({ approvalRequired: true }));
  const chip = row(page, "Checkout").getByRole("button", { name: "Approval required" });
  await chip.press("Enter");
  await page.getByText("is held for approval: the environment Production requires it.").last().waitFor();
});

test("why a feature cannot be copied is read by keyboard and screen reader, with the way to the change that waits", async () => {
  const { at, waiting } = await project();
  const page = await open("editor", { at });
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

test("only features that differ and can be copied are selectable, select all included", async () => {
  const page = await open("productionEditor", await project(), `${PAIR}&show=all`);
  assert.equal(await page.getByRole("checkbox", { name: "Select Sameness: identical" }).isDisabled(), true);
  assert.equal(await page.getByRole("checkbox", { name: /^Select Waiting: cannot copy, / }).isDisabled(), true);
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await bar(page).getByText("7 selected").waitFor();
  for (const name of ["Banner", "Checkout", "Guarded", "Lane", "Preview", "Ranking", "Train"]) {
    assert.equal(await tick(page, name).isChecked(), true, name);
  }
  // What a filter hides stays selected, and is said to be.
  await page.getByRole("searchbox", { name: "Find a feature" }).fill("banner");
  await bar(page).getByText("7 selected, 6 of them not in view").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).press("Space");
  await bar(page).getByText("6 selected, 6 of them not in view").waitFor();
  await bar(page).getByRole("button", { name: "Clear" }).press("Enter");
  await bar(page).getByText("None selected").waitFor();
});

test("the button reads Request approval when every selected feature is gated", async () => {
  const page = await open("productionEditor", await project());
  const button = bar(page).getByRole("button").last();
  assert.equal(await button.isDisabled(), true);
  await tick(page, "Guarded").press("Space");
  await tick(page, "Train").press("Space");
  assert.equal(await button.textContent(), "Request approval");
  await tick(page, "Checkout").press("Space");
  assert.equal(await button.textContent(), "Copy 3 features…");
  for (const label of ["On/off state", "Off variant", "Targeting rules"]) {
    await bar(page).getByRole("checkbox", { name: label, exact: true }).press("Space");
  }
  await bar(page).getByText("no setting to copy").waitFor();
  assert.equal(await button.isDisabled(), true);
});

test("the confirmation lists features and settings, and says clearly that the target is production", async () => {
  const page = await open("productionEditor", await project());
  await page.getByText("A copy goes into Production, a production environment.").waitFor();
  await bar(page).getByRole("checkbox", { name: "Off variant", exact: true }).press("Space");
  await ask(page, ["Banner", "Checkout"]);
  await dialog(page).getByRole("heading", { name: "Copy 2 features to Production?" }).waitFor();
  await dialog(page).getByText("Production is a production environment.").waitFor();
  await dialog(page)
    .getByText("On/off state, Targeting rules. The target keeps its own: Off variant", { exact: true })
    .waitFor();
  const listed = dialog(page).getByRole("list", { name: "Features to copy" }).getByRole("listitem");
  assert.deepEqual(
    (await listed.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ["Banner banner Nothing differs in these settings: it will be skipped", "Checkout checkout On/off state"],
  );
  // It begins where nothing happens, and Escape goes back with nothing changed.
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(await tick(page, "Banner").isChecked(), true);
});

test("the confirmation warns that all of the features need approval", async () => {
  const page = await open("productionEditor", await project());
  await ask(page, ["Guarded", "Train"]);
  await dialog(page).getByText("All of these features need approval: nothing changes in Production until").waitFor();
  await dialog(page).getByRole("button", { name: "Request approval" }).waitFor();
});

test("the confirmation says when only some of the features need approval", async () => {
  const page = await open("productionEditor", await project());
  await ask(page, ["Guarded", "Checkout", "Banner"]);
  await dialog(page).getByText("Only 1 of 3 features needs approval, and waits for it: Guarded.").waitFor();
  await dialog(page).getByRole("button", { name: "Copy to Production" }).waitFor();
});

test("the confirmation warns of audiences copied inline and of pipelines", async () => {
  const page = await open("productionEditor", await project());
  await ask(page, ["Preview", "Lane"]);
  const inline = dialog(page).getByText("Audience copied inline, in Preview: Testers on staging");
  assert.match(await inline.textContent(), /evaluate the same in Production, and are no longer linked/);
  const pipeline = dialog(page).getByText("In a pipeline (Quick lane): Lane.");
  assert.match(
    await pipeline.textContent(),
    /The copy sets the target’s targeting outright and does not advance the pipeline\./,
  );
  await dialog(page).getByRole("button", { name: "Cancel" }).press("Enter");
  // No rule is copied, so none is written inline.
  await bar(page).getByRole("checkbox", { name: "Targeting rules", exact: true }).press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  await pipeline.waitFor();
  assert.equal(await inline.count(), 0);
});

test("every feature is reported as APPLIED, PENDING_APPROVAL with its approval, or SKIPPED with the reason", async () => {
  const { at } = await project();
  const key = at.split("/").at(-1);
  const page = await open("productionEditor", { at });
  await ask(page, ["Checkout", "Guarded", "Ranking"]);
  // Somebody else is faster: what was seen is no longer what is there.
  await service.as("administrator", "PATCH", targeting(key, "ranking", "production"), { enabled: true });
  await dialog(page).getByLabel("Comment").fill("As tested this week.");
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await dialog(page).getByRole("heading", { name: "Result of the copy" }).waitFor();
  await dialog(page).getByText("1 APPLIED, 1 PENDING_APPROVAL, 1 SKIPPED").waitFor();

  const outcome = (name) => results(page).filter({ hasText: name });
  await outcome("Checkout").getByText("APPLIED", { exact: true }).waitFor();
  await outcome("Ranking").getByText("SKIPPED", { exact: true }).waitFor();
  await outcome("Ranking").getByText("changed since").waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?featureKey=guarded`);
  assert.equal(items[0].comment, "As tested this week.");
  assert.equal(
    await outcome("Guarded")
      .getByRole("link", { name: /^See the approval/ })
      .getAttribute("href"),
    `${at}/approvals/${items[0].id}`,
  );
  assert.equal((await service.as("readOnly", "GET", targeting(key, "checkout", "production"))).enabled, true);
  assert.deepEqual((await service.as("readOnly", "GET", targeting(key, "ranking", "production"))).enabled, true);
  const audit = await service.as("administrator", "GET", "/audit-log?limit=20");
  assert.ok(audit.items.some((entry) => JSON.stringify(entry).includes("As tested this week.")));
});

test("after a copy the comparison refreshes", async () => {
  const page = await open("productionEditor", await project());
  await ask(page, ["Checkout", "Guarded"]);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Done" }).press("Enter");
  await row(page, "Checkout").waitFor({ state: "detached" });
  await page.getByText(`${COUNTS.different - 1} different`, { exact: true }).waitFor();
  await page.getByText(`${COUNTS.identical + 1} identical`, { exact: true }).waitFor();
  // What waits now cannot be copied, and nothing is selected any more.
  await row(page, "Guarded").getByRole("button", { name: "Cannot copy" }).waitFor();
  await bar(page).getByText("None selected").waitFor();
});

test("settings that are not selected keep the target's values, and what then does not differ is skipped", async () => {
  const { at } = await project();
  const key = at.split("/").at(-1);
  const page = await open("administrator", { at });
  await bar(page).getByRole("checkbox", { name: "Targeting rules", exact: true }).press("Space");
  await bar(page).getByRole("checkbox", { name: "Off variant", exact: true }).press("Space");
  await ask(page, ["Lane", "Ranking"]);
  await dialog(page).getByRole("button", { name: "Copy to Production" }).press("Enter");
  await results(page).filter({ hasText: "Ranking" }).getByText("SKIPPED", { exact: true }).waitFor();
  await results(page).filter({ hasText: "Lane" }).getByText("APPLIED", { exact: true }).waitFor();
  const { enabled, offVariantKey, rules } = await service.as("readOnly", "GET", targeting(key, "lane", "production"));
  assert.deepEqual(
    { enabled, offVariantKey, rules: rules[0].name },
    { enabled: true, offVariantKey: "off", rules: "Everybody" },
  );
});

test("a copy whose answer was lost is sent again and done once", async () => {
  const { at } = await project();
  const page = await open("productionEditor", { at });
  await ask(page, ["Checkout"]);
  await dialog(page).getByLabel("Comment").fill("Once.");
  const keys = [];
  await page.route("**/environments/copy", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  const send = dialog(page).getByRole("button", { name: "Copy to Production" });
  await send.press("Enter");
  await dialog(page).getByText("what you entered is still here").waitFor();
  assert.equal(await dialog(page).getByLabel("Comment").inputValue(), "Once.");
  await send.press("Enter");
  // Without its key it would have been skipped as a target that has changed.
  await results(page).getByText("APPLIED", { exact: true }).waitFor();
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_/);
});

test("read-only users compare and cannot copy; copying into production takes the production editor", async () => {
  const { at } = await project();
  const mayCopy = {
    administrator: { qa: true, production: true },
    productionEditor: { qa: true, production: true },
    editor: { qa: true, production: false },
    readOnly: { qa: false, production: false },
  };
  for (const role of ROLES) {
    for (const [target, may] of Object.entries(mayCopy[role])) {
      const page = await open(role, { at }, `compare?source=staging&target=${target}`);
      await row(page, "Checkout").waitFor();
      assert.equal(await bar(page).isVisible(), may, `${role} into ${target}`);
      assert.equal((await page.getByRole("checkbox").count()) > 0, may, `${role} into ${target}`);
      const told = {
        readOnly: "You can compare and not copy: your role is Read-only.",
        editor:
          "You cannot copy into Production: copying into a production environment takes the role Production editor, and yours is Editor.",
      };
      assert.equal((await page.getByRole("note").allInnerTexts()).join(""), may ? "" : told[role]);
      await page.context().close();
    }
  }
});

test("an editor copies into an environment that is not production", async () => {
  const { at } = await project();
  const key = at.split("/").at(-1);
  const page = await open("editor", { at }, "compare?source=staging&target=qa");
  await ask(page, ["Checkout"]);
  assert.equal(await dialog(page).getByText("production environment").count(), 0);
  await dialog(page).getByRole("button", { name: "Copy to QA" }).press("Enter");
  await results(page).getByText("APPLIED", { exact: true }).waitFor();
  assert.equal((await service.as("readOnly", "GET", targeting(key, "checkout", "qa"))).enabled, true);
});

test("a copy works by keyboard alone", async () => {
  const { at } = await project();
  const page = await open("productionEditor", { at });
  const tabTo = async (locator, key = "Tab") => {
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press(key);
      if (await locator.evaluateAll((all) => all.includes(document.activeElement))) return;
    }
    assert.fail(`${locator} is not reached by ${key}.`);
  };
  await tabTo(page.getByRole("searchbox", { name: "Find a feature" }));
  await page.keyboard.type("e");
  await tabTo(page.getByRole("checkbox", { name: "Select all" }));
  await tabTo(tick(page, "Banner"));
  await tabTo(tick(page, "Guarded"), "ArrowDown");
  await page.keyboard.press("Space");
  await tabTo(bar(page).getByRole("checkbox", { name: "Off variant", exact: true }));
  await page.keyboard.press("Space");
  await tabTo(bar(page).getByRole("button", { name: "Request approval" }));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.textContent === "Cancel");
  await tabTo(dialog(page).getByRole("button", { name: "Request approval" }));
  await page.keyboard.press("Enter");
  await results(page).getByText("PENDING_APPROVAL", { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Done");
  await tabTo(results(page).getByRole("link"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${at}/approvals/*`);
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
  const page = await open("administrator", { at: "/projects/strange" });
  const cell = page.getByRole("row").filter({ hasText: "checkout" });
  assert.equal(await cell.locator(".compare-link bdi").textContent(), strange);
  assert.equal(await cell.locator(".rule-name").first().textContent(), strange);
  await cell.getByRole("checkbox").press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  assert.equal(await dialog(page).locator(".compare-list-name bdi").textContent(), strange);
});

test("what cannot be compared is said: one environment, an unknown one, none that differs", async () => {
  const { at } = await project();
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
    const page = await open("productionEditor", await project(), `${PAIR}&show=all`, { width });
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
    const page = await open("administrator", await project(), PAIR, { width });
    await page.reload();
    await row(page, "Checkout").waitFor();
    assert.equal(await layoutShift(page), 0);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }
});

test("1,000 features are interactive within 500 ms after their data has arrived, and scroll smoothly", async (t) => {
  const environments = ["staging", "production"].map((key) => {
    return { key, production: key === "production", approvalRequired: false };
  });
  const moved = (environment, feature) => environment === "production" && feature % 3 === 0;
  await service.import(thousand({ key: "large", features: 1_000, environments, moved, gated: false }));

  const page = await admin.as("administrator", "/users");
  // Ticks the first row as soon as there is one, and waits until the page has followed.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const tick = document.querySelector("[data-index='0'] input[type=checkbox]:not([disabled])");
      if (tick && performance.getEntriesByName("ticked").length === 0) {
        performance.mark("ticked");
        tick.click();
      }
      if (document.body?.textContent.includes("1 selected") && performance.getEntriesByName("followed").length === 0) {
        performance.mark("followed");
        requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto("/projects/large/compare?source=staging&target=production&show=all");
    await page.waitForFunction(() => performance.getEntriesByName("interactive").length > 0);
    runs.push({ interactive: await page.evaluate(interactive), ...(await page.evaluate(scroll)) });
    t.diagnostic(JSON.stringify(runs.at(-1)));
  }
  assert.ok(Math.min(...runs.map(({ interactive }) => interactive)) <= 500, "interactive");
  assert.ok(Math.min(...runs.map(({ median }) => median)) <= 34, "frames while scrolling");
  for (const { empty } of runs) assert.equal(empty, 0, "Frames in which a part of the window had no row.");

  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), "1001");
  assert.ok((await page.getByRole("row").count()) < 100, "Only the rows in view exist.");
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "Feature 999", exact: true }).waitFor();
});

/** In the page: the milliseconds from the last byte of its data until it has followed a tick. */
function interactive() {
  const data = performance.getEntriesByType("resource").filter(({ name }) => /compare\?|audiences/.test(name));
  const arrived = Math.max(...data.map(({ responseEnd }) => responseEnd));
  return Math.round(performance.getEntriesByName("interactive")[0].startTime - arrived);
}

/** In the page: scrolls 300 pixels a frame, and tells how long each took, and in how many a part was empty. */
async function scroll() {
  const frames = [];
  let empty = 0;
  const table = document.querySelector("[role=table]");
  let before = await new Promise(requestAnimationFrame);
  while (frames.length < 200) {
    scrollBy(0, 300);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
    // After the frame's own work.
    await new Promise((done) => setTimeout(done));
    const { bottom, left, width } = table.getBoundingClientRect();
    for (const y of [120, innerHeight / 2]) {
      if (y < bottom && !document.elementFromPoint(left + width / 2, y)?.closest("[data-index]")) empty += 1;
    }
  }
  frames.sort((one, other) => one - other);
  const at = (share) => Math.round(frames[Math.ceil(frames.length * share) - 1]);
  return { median: at(0.5), p95: at(0.95), longest: at(1), empty };
}
