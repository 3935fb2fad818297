// Approval requests: listed, read and discussed.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { releaseDocument } from "../../support/admin/release.mjs";
import {
  commentsSection,
  createProject,
  decide,
  dialog,
  fact,
  openRequest,
  requestChange,
  requestSection,
} from "../../support/admin/requests.mjs";
import { row } from "../../support/admin/rows.mjs";
import { project as thousand } from "../../support/server/large-project.mjs";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const badge = (page) => page.getByRole("list", { name: "Project" }).getByRole("link", { name: /^Approvals/ });

test("pending and past requests are listed by state, which is part of the URL", async () => {
  const { key, at } = await createProject(admin);
  const rejected = await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  await decide(admin, "productionEditor", at, rejected, "reject");
  const cancelled = await requestChange(admin, "editor", key, "guarded", "qa", {
    enabled: true,
    comment: "Too early.",
  });
  await decide(admin, "editor", at, cancelled, "cancel");
  const approved = await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
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
  await page.getByText("No stale requests").waitFor();
  await page.getByText("All", { exact: true }).click();
  await row(page, "Waiting").waitFor();
  assert.equal(await page.getByRole("row").count(), 5);
  await page.getByRole("searchbox", { name: "Search requests" }).fill("too early");
  await row(page, "Waiting").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("row").count(), 2);
  await page.reload();
  await row(page, "Guarded").waitFor();
});

test("a state that no request can have shows the pending ones", async () => {
  const { key, at } = await createProject(admin);
  await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  for (const state of ["constructor", "unknown"]) {
    const page = await admin.as("readOnly", `${at}/approvals?state=${state}`);
    await row(page, "Waiting").getByText("Pending", { exact: true }).waitFor();
  }
});

test("a request shows the change in words, and before and after as a summary and as a diff", async () => {
  const { at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "readOnly", `${at}/approvals/${waiting.id}`);
  const text = async (side) =>
    (await page.getByRole("region", { name: side }).locator("dd").allInnerTexts()).map((one) =>
      one.replace(/\s+/g, " "),
    );
  const words = page.getByRole("list", { name: "In words" }).getByRole("listitem");
  assert.deepEqual(await words.locator("> div").allTextContents(), ["Targeting turned on"]);
  assert.deepEqual(await text("Before"), ["Off", "off", "Everybody Everyone on 100%"]);
  assert.deepEqual(await text("After"), ["On", "off", "Everybody Everyone on 100%"]);
  await page.getByRole("tab", { name: "Diff" }).press("Enter");
  const lines = await page.getByRole("region", { name: "Before and After" }).locator("div").allTextContents();
  assert.ok(lines.includes('−removed:   "enabled": false,'), lines.join("\n"));
  assert.ok(lines.includes('+added:   "enabled": true,'));
});

test("a request shows what requires the approval: environment, feature, phase", async () => {
  const { key, at } = await createProject(admin, { approvalRequired: true });
  const gated = await requestChange(admin, "productionEditor", key, "train", "production", { enabled: true });
  await service.as("administrator", "PATCH", `${at}/features/lane`, { approvalRequired: true });
  const both = await requestChange(admin, "productionEditor", key, "lane", "production", { enabled: true });
  const page = await openRequest(admin, "readOnly", `${at}/approvals/${gated.id}`);
  await fact(page, "Required by").getByText("Environment Production").waitFor();
  await fact(page, "Required by").getByText("Phase Roll out of pipeline Release train").waitFor();
  await page.goto(`${at}/approvals/${both.id}`);
  await fact(page, "Required by").getByText("The feature").waitFor();
});

test("a request shows the requester, their comment, and the environment that it was copied from", async () => {
  const { key, at } = await createProject(admin);
  const copied = await service.as("productionEditor", "POST", `${at}/environments/copy`, {
    ...{ source: "staging", target: "production", featureKeys: ["guarded"] },
    ...{ settings: { enabled: true }, comment: "As tested\nthis week." },
  });
  const page = await openRequest(admin, "readOnly", `${at}/approvals/${copied.results[0].approvalId}`);
  await fact(page, "Requested").getByText("Pablo Reyes").waitFor();
  assert.equal(await fact(page, "Change").textContent(), "Copy from Staging");
  assert.equal(await fact(page, "Comment").textContent(), "As tested\nthis week.");
  assert.equal(
    await fact(page, "Feature").getByRole("link").getAttribute("href"),
    `${at}/features/guarded/environments/production`,
  );
  assert.equal(key, at.split("/").at(-1));
});

test("the navigation shows how many requests are pending", async () => {
  const { key, at } = await createProject(admin);
  const page = await admin.as("administrator", `${at}/features`);
  await page.getByRole("navigation").getByText("1 pending").waitFor();
  await requestChange(admin, "editor", key, "guarded", "qa", { enabled: true });
  await page.reload();
  await page.getByRole("navigation").getByText("2 pending").waitFor();
  const { items } = await service.as("readOnly", "GET", `${at}/approvals?state=pending`);
  for (const { id } of items) await decide(admin, "administrator", at, { id }, "reject");
  await page.reload();
  await badge(page).waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await badge(page).textContent(), "Approvals");
});

test("comments can be added and read, also after the decision", async () => {
  const { at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "editor", `${at}/approvals/${waiting.id}`);
  const field = commentsSection(page).getByLabel("Your comment");
  assert.equal(await commentsSection(page).getByRole("button", { name: "Comment" }).isDisabled(), true);
  await field.fill("Why today?");
  await commentsSection(page).getByRole("button", { name: "Comment" }).press("Enter");
  await commentsSection(page).getByRole("listitem").getByText("Why today?").waitFor();
  await page.waitForFunction((field) => field.value === "", await field.elementHandle());
  await decide(admin, "administrator", at, waiting, "approve");
  await page.reload();
  await field.fill("Thank you.");
  await commentsSection(page).getByRole("button", { name: "Comment" }).press("Enter");
  await commentsSection(page).getByRole("listitem").getByText("Thank you.").waitFor();
  assert.deepEqual(await commentsSection(page).getByRole("listitem").locator("bdi").allTextContents(), [
    ...["Edda Okafor", "Why today?"],
    ...["Edda Okafor", "Thank you."],
  ]);
});

test("a stale request is shown as stale, with the reason", async () => {
  const { at, waiting } = await createProject(admin);
  // With the requirement, nobody can archive the feature while the change is pending.
  await service.as("administrator", "PATCH", `${at}/environments/production`, { approvalRequired: false });
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { approvalRequired: false });
  await service.as("administrator", "PATCH", `${at}/features/waiting`, { lifecycle: "Archived" });
  const { stale } = await service.as("readOnly", "GET", `${at}/approvals/${waiting.id}`);
  const page = await openRequest(admin, "administrator", `${at}/approvals/${waiting.id}`);
  await page.getByText(`Stale: the change can no longer be approved. ${stale.detail}`).waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve…" }).isDisabled(), true);
  // Someone tries to approve it anyway.
  await assert.rejects(decide(admin, "administrator", at, waiting, "approve"), /409/);
  await page.reload();
  await page.getByText(`Stale: the change was not applied and can no longer be approved. ${stale.detail}`).waitFor();
  await page.goto(`${at}/approvals?state=stale`);
  await row(page, "Waiting").locator(".chip", { hasText: "Stale" }).waitFor();
});

test("archiving a protected feature is requested, shown with what changes, and approved by another person", async () => {
  const { at } = await createProject(admin);
  const page = await admin.as("productionEditor", `${at}/features/guarded`);
  await page.getByRole("button", { name: "Archive…" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Request approval" }).press("Enter");
  await page.getByText("Approval requested to make").waitFor();
  await page.getByRole("main").getByRole("link", { name: "View request" }).press("Enter");
  const before = page.getByRole("region", { name: "Before" }).locator(".approvals-line", { hasText: "Lifecycle" });
  const after = page.getByRole("region", { name: "After" }).locator(".approvals-line", { hasText: "Lifecycle" });
  await before.getByText("Active").waitFor();
  await after.getByText("Archived").waitFor();
  await axeFindsNothing(page);
  assert.equal((await service.as("readOnly", "GET", `${at}/features/guarded`)).lifecycle, "Active");

  const other = await admin.as("administrator", new URL(page.url()).pathname);
  await other.getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(other)
    .getByRole("button", { name: /^Approve/ })
    .press("Enter");
  await other.locator("#content").getByText("Approved and applied.").waitFor();
  assert.equal((await service.as("readOnly", "GET", `${at}/features/guarded`)).lifecycle, "Archived");
});

test("a comment typed while the server is unreachable is not lost", async () => {
  const { at, waiting } = await createProject(admin);
  const page = await openRequest(admin, "editor", `${at}/approvals/${waiting.id}`);
  await commentsSection(page).getByLabel("Your comment").fill("Typed while unreachable");
  await service.kill();
  await commentsSection(page).getByRole("button", { name: "Comment" }).press("Enter");
  await commentsSection(page).getByText("your input is still here").waitFor();
  await service.start();
  await page.getByText("The server can't be reached. This page may be").waitFor({ state: "detached" });
  await commentsSection(page).getByRole("button", { name: "Comment" }).press("Enter");
  await commentsSection(page).getByRole("listitem").getByText("Typed while unreachable").waitFor();
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_|50[24]/);
});

test("names with <script>, quotes and right-to-left marks are shown as text", async () => {
  const strange = `<script>alert("1")</script> 'quoted' \u202eright to left`;
  const document = releaseDocument("strange");
  const guarded = document.features.find(({ key }) => key === "guarded");
  guarded.name = strange;
  await service.import(document);
  const gated = await requestChange(admin, "productionEditor", "strange", "guarded", "production", {
    enabled: true,
    comment: strange,
  });
  const page = await admin.as("administrator", "/projects/strange/approvals");
  const link = page.locator(".name-link bdi");
  await link.waitFor();
  assert.equal(await link.textContent(), strange);
  assert.equal(await page.locator(".approvals-comment").textContent(), strange);
  await page.goto(`/projects/strange/approvals/${gated.id}`);
  await page.getByRole("heading", { name: strange }).waitFor();
  assert.equal(await fact(page, "Comment").textContent(), strange);
});

test("the page explains when there are no requests, no matches, and no such request", async () => {
  const { at, waiting } = await createProject(admin);
  await decide(admin, "administrator", at, waiting, "reject");
  const page = await admin.as("readOnly", `${at}/approvals`);
  await page.getByText("No pending requests").waitFor();
  await page.goto(`${at}/approvals?state=all&search=no-such-request`);
  await page.getByRole("button", { name: "Clear search" }).last().click();
  await row(page, "Waiting").waitFor();
  await page.goto(`${at}/approvals/nothing`);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  expectComplaint(page, /404/);
});

test("of 1,000 requests only the visible rows are rendered", async () => {
  const environments = ["staging", "production"].map((key) => {
    return { key, production: key === "production", approvalRequired: key === "production" };
  });
  const features = 1_000;
  const moved = (environment) => environment === "production";
  const document = thousand({ key: "many", features, environments, moved, gated: false });
  // One short rule each is enough here.
  for (const { targetings } of document.features) {
    for (const targeting of Object.values(targetings)) targeting.rules = targeting.rules.slice(-1);
  }
  await service.import(document);
  const keys = document.features.map(({ key }) => key);
  // A busy machine takes longer for all of them than a request may.
  for (let first = 0; first < features; first += 100) {
    await service.as("productionEditor", "POST", "/projects/many/environments/copy", {
      ...{ source: "staging", target: "production", settings: { rules: true } },
      featureKeys: keys.slice(first, first + 100),
    });
  }
  const page = await admin.as("administrator", "/projects/many/approvals");
  const table = page.getByRole("table", { name: "Approvals" });
  await table.and(page.locator("[aria-rowcount='11']")).waitFor();
  await page.getByRole("navigation").getByText("200+ pending").waitFor();
  await page.getByRole("link", { name: "100 features" }).first().press("Enter");
  await table.and(page.locator("[aria-rowcount='101']")).waitFor();
  assert.ok((await page.getByRole("row").count()) < 50);
  await page.getByRole("button", { name: "Show all requests" }).press("Enter");
  await table.and(page.locator("[aria-rowcount='11']")).waitFor();
  await page.getByRole("searchbox", { name: "Search requests" }).fill("Feature 999");
  await page.waitForFunction(() => document.querySelector("[role=table]").ariaRowCount === "2");
});

test("axe finds no violations in list and request, in light and dark; nothing moves while they load, and they fit a phone", async () => {
  for (const width of [1440, 360]) {
    const { at, waiting } = await createProject(admin);
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
    await requestSection(page).getByRole("button", { name: "Approve…" }).press("Enter");
    await dialog(page).waitFor();
    await axeFindsNothing(page);
  }
});
