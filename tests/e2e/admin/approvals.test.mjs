// Changes that wait, or waited, for approval: listed, read and discussed.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { releaseDocument } from "../../support/admin/release.mjs";
import { ask, comments, decide, dialog, fact, open, project, request, row } from "../../support/admin/requests.mjs";
import { project as thousand } from "../../support/server/large-project.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const badge = (page) => page.getByRole("navigation").getByRole("link", { name: /^Approvals/ });

test("pending and past requests are listed by state, which is in the address", async () => {
  const { key, at } = await project(admin);
  const rejected = await ask(admin, "editor", key, "guarded", "qa", { enabled: true });
  await decide(admin, "productionEditor", at, rejected, "reject");
  const cancelled = await ask(admin, "editor", key, "guarded", "qa", { enabled: true, comment: "Too early." });
  await decide(admin, "editor", at, cancelled, "cancel");
  const approved = await ask(admin, "editor", key, "guarded", "qa", { enabled: true });
  await decide(admin, "productionEditor", at, approved, "approve");

  const page = await admin.as("readOnly", `${at}/approvals`);
  await row(page, "Waiting").getByText("Pending", { exact: true }).waitFor();
  assert.equal(await page.getByRole("row").count(), 2);
  for (const [state, environment] of [
    ["Approved", "QA"],
    ["Rejected", "QA"],
    ["Cancelled", "QA"],
  ]) {
    await page.getByText(state, { exact: true }).first().click();
    await page.waitForURL(`**${at}/approvals?state=${state.toLowerCase()}`);
    const cells = row(page, "Guarded").getByRole("cell");
    await row(page, "Guarded").locator(".chip", { hasText: state }).waitFor();
    assert.equal(await cells.nth(1).textContent(), `Environment${environment}`);
    assert.match(await cells.nth(3).textContent(), /Edda Okafor/);
  }
  await page.getByText("Stale", { exact: true }).click();
  await page.getByText("No stale request").waitFor();
  await page.getByText("All", { exact: true }).click();
  await row(page, "Waiting").waitFor();
  assert.equal(await page.getByRole("row").count(), 5);
  await page.getByRole("searchbox", { name: "Find a request" }).fill("too early");
  await row(page, "Waiting").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("row").count(), 2);
  await page.reload();
  await row(page, "Guarded").waitFor();
});

test("a request shows before and after in words and as a diff", async () => {
  const { at, waiting } = await project(admin);
  const page = await open(admin, "readOnly", `${at}/approvals/${waiting.id}`);
  const text = async (side) =>
    (await page.getByRole("region", { name: side }).locator("dd").allInnerTexts()).map((one) =>
      one.replace(/\s+/g, " "),
    );
  assert.deepEqual(await text("Before"), ["Off", "off", "Everybody Everyone on 100%"]);
  assert.deepEqual(await text("After"), ["On", "off", "Everybody Everyone on 100%"]);
  await page.getByRole("tab", { name: "Diff" }).press("Enter");
  const lines = await page.getByRole("region", { name: "Before and After" }).locator("div").allTextContents();
  assert.ok(lines.includes('−removed:   "enabled": false,'), lines.join("\n"));
  assert.ok(lines.includes('+added:   "enabled": true,'));
});

test("a request says why it needs approval: environment, feature, phase", async () => {
  const { key, at } = await project(admin, { approvalRequired: true });
  const held = await ask(admin, "productionEditor", key, "train", "production", { enabled: true });
  await service.as("administrator", "PATCH", `${at}/features/lane`, { approvalRequired: true });
  const both = await ask(admin, "productionEditor", key, "lane", "production", { enabled: true });
  const page = await open(admin, "readOnly", `${at}/approvals/${held.id}`);
  await fact(page, "Needs approval").getByText("The environment Production requires it").waitFor();
  await fact(page, "Needs approval")
    .getByText("The phase Roll out of the pipeline Release train requires it")
    .waitFor();
  await page.goto(`${at}/approvals/${both.id}`);
  await fact(page, "Needs approval").getByText("The feature requires it").waitFor();
});

test("a request shows who asked for it, their comment, and the environment that it was copied from", async () => {
  const { key, at } = await project(admin);
  const copied = await service.as("productionEditor", "POST", `${at}/environments/copy`, {
    ...{ source: "staging", target: "production", featureKeys: ["guarded"] },
    ...{ settings: { enabled: true }, comment: "As tested\nthis week." },
  });
  const page = await open(admin, "readOnly", `${at}/approvals/${copied.results[0].approvalId}`);
  await fact(page, "Requested").getByText("Pablo Reyes").waitFor();
  assert.equal(await fact(page, "Change").textContent(), "Copy from Staging");
  assert.equal(await fact(page, "Comment").textContent(), "As tested\nthis week.");
  assert.equal(
    await fact(page, "Feature").getByRole("link").getAttribute("href"),
    `${at}/features/guarded/environments/production`,
  );
  assert.equal(key, at.split("/").at(-1));
});

test("the navigation counts what is pending", async () => {
  const { key, at } = await project(admin);
  const page = await admin.as("administrator", `${at}/features`);
  await page.getByRole("navigation").getByText("1 pending").waitFor();
  await ask(admin, "editor", key, "guarded", "qa", { enabled: true });
  await page.reload();
  await page.getByRole("navigation").getByText("2 pending").waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?state=pending`);
  for (const { id } of items) await decide(admin, "administrator", at, { id }, "reject");
  await page.reload();
  await badge(page).waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await badge(page).textContent(), "Approvals");
});

test("comments are said and read, also after the decision", async () => {
  const { at, waiting } = await project(admin);
  const page = await open(admin, "editor", `${at}/approvals/${waiting.id}`);
  const field = comments(page).getByLabel("Your comment");
  assert.equal(await comments(page).getByRole("button", { name: "Comment" }).isDisabled(), true);
  await field.fill("Why today?");
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByRole("listitem").getByText("Why today?").waitFor();
  assert.equal(await field.inputValue(), "");
  await decide(admin, "administrator", at, waiting, "approve");
  await page.reload();
  await field.fill("Thank you.");
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByRole("listitem").getByText("Thank you.").waitFor();
  assert.deepEqual(await comments(page).getByRole("listitem").locator("bdi").allTextContents(), [
    ...["Edda Okafor", "Why today?"],
    ...["Edda Okafor", "Thank you."],
  ]);
});

test("a stale request is shown as such, with why", async () => {
  const { at, waiting } = await project(admin);
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  const { stale } = await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`);
  const page = await open(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await page.getByText(`Stale: it can no longer be approved. ${stale.detail}`).waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve…" }).isDisabled(), true);
  // Somebody who does not know yet has tried.
  await assert.rejects(decide(admin, "administrator", at, waiting, "approve"), /409/);
  await page.reload();
  await page.getByText(`Stale: it was not made, and cannot be approved any more. ${stale.detail}`).waitFor();
  await page.goto(`${at}/approvals?state=stale`);
  await row(page, "Waiting").locator(".chip", { hasText: "Stale" }).waitFor();
});

test("a comment that was typed while the server was away is not lost", async () => {
  const { at, waiting } = await project(admin);
  const page = await open(admin, "editor", `${at}/approvals/${waiting.id}`);
  await comments(page).getByLabel("Your comment").fill("Typed while it was away");
  await service.kill();
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByText("what you entered is still here").waitFor();
  await service.start();
  await page.getByText("The server cannot be reached. What you see").waitFor({ state: "detached" });
  await comments(page).getByRole("button", { name: "Comment" }).press("Enter");
  await comments(page).getByRole("listitem").getByText("Typed while it was away").waitFor();
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_|50[24]/);
});

test("names with a script, quotes and marks of direction are shown as text", async () => {
  const strange = `<script>alert("1")</script> 'quoted' \u202eright to left`;
  const document = releaseDocument("strange");
  const guarded = document.features.find(({ key }) => key === "guarded");
  guarded.name = strange;
  await service.import(document);
  const held = await ask(admin, "productionEditor", "strange", "guarded", "production", {
    enabled: true,
    comment: strange,
  });
  const page = await admin.as("administrator", "/projects/strange/approvals");
  const link = page.locator(".approvals-link bdi");
  await link.waitFor();
  assert.equal(await link.textContent(), strange);
  assert.equal(await page.locator(".approvals-comment").textContent(), strange);
  await page.goto(`/projects/strange/approvals/${held.id}`);
  await page.getByRole("heading", { name: strange }).waitFor();
  assert.equal(await fact(page, "Comment").textContent(), strange);
});

test("nothing that waits, nothing that is found and what is not there are said", async () => {
  const { at, waiting } = await project(admin);
  await decide(admin, "administrator", at, waiting, "reject");
  const page = await admin.as("readOnly", `${at}/approvals`);
  await page.getByText("Nothing waits for approval").waitFor();
  await page.goto(`${at}/approvals?state=all&search=nothing-is-called-this`);
  await page.getByRole("button", { name: "Clear the filter" }).last().click();
  await row(page, "Waiting").waitFor();
  await page.goto(`${at}/approvals/nothing`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  expectComplaint(page, /404/);
});

test("1,000 requests are listed, and only those in view exist", async () => {
  const environments = ["staging", "production"].map((key) => {
    return { key, production: key === "production", approvalRequired: key === "production" };
  });
  const features = 1_000;
  const moved = (environment) => environment === "production";
  const document = thousand({ key: "many", features, environments, moved, gated: false });
  // One short rule is enough here.
  for (const { targetings } of document.features) {
    for (const targeting of Object.values(targetings)) targeting.rules = targeting.rules.slice(-1);
  }
  await service.import(document);
  await service.as("productionEditor", "POST", "/projects/many/environments/copy", {
    ...{ source: "staging", target: "production", settings: { rules: true } },
    featureKeys: document.features.map(({ key }) => key),
  });
  const page = await admin.as("administrator", "/projects/many/approvals");
  await page.getByRole("table", { name: "Approvals" }).and(page.locator("[aria-rowcount='1001']")).waitFor();
  assert.ok((await page.getByRole("row").count()) < 100);
  await page.getByRole("navigation").getByText("200+ pending").waitFor();
  await page.getByRole("searchbox", { name: "Find a request" }).fill("Feature 999");
  await page.waitForFunction(() => document.querySelector("[role=table]").ariaRowCount === "2");
});

test("list and request please axe, move nothing and fit a telephone, in light and dark", async () => {
  for (const width of [1440, 360]) {
    const { at, waiting } = await project(admin);
    const page = await admin.as("administrator", `${at}/approvals`, { width });
    await row(page, "Waiting").waitFor();
    await page.reload();
    await row(page, "Waiting").waitFor();
    await nothingMoved(page, `list, ${width}`);
    await axeFindsNothing(page);
    await page.goto(`${at}/approvals/${waiting.id}`);
    await page.getByRole("region", { name: "Before" }).waitFor();
    await nothingMoved(page, `request, ${width}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await axeFindsNothing(page);
    await page.getByRole("tab", { name: "Diff" }).click();
    await axeFindsNothing(page);
    await request(page).getByRole("button", { name: "Approve…" }).press("Enter");
    await dialog(page).waitFor();
    await axeFindsNothing(page);
  }
});
