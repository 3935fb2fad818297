// The audit log: filters, pages, and entries that expand to show what changed.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";

const STRANGE_NAME = `<script>alert("1")</script> 'quoted' \u202eright to left`;

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const entries = (page) =>
  page.getByRole("list", { name: "Entries, newest first" }).locator("> li[class]:not([aria-hidden])");
const entry = (page, text) => entries(page).filter({ hasText: text });
const today = () => new Date().toLocaleDateString("sv");

/** Creates a feature and changes it that many times. */
async function change(key, times) {
  await service.as("editor", "POST", "/projects/shop/features", { key, name: key });
  for (let time = 1; time <= times; time++) {
    await service.as("editor", "PATCH", `/projects/shop/features/${key}`, { description: `Description ${time}` });
  }
}

test("every role can read who did what, newest first", async () => {
  await change("read", 1);
  for (const role of ROLES) {
    const page = await admin.as(role, "/audit-log");
    const [newest, before] = [entries(page).nth(0), entries(page).nth(1)];
    await newest.getByText("Edda Okafor changed a feature").waitFor();
    await newest.getByText("projects/shop/features/read").waitFor();
    await before.getByText("Edda Okafor created a feature").waitFor();
  }
});

test("an entry expands with the keyboard to show before and after, and links to what it changed", async () => {
  await change("unfolded", 2);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/unfolded");
  const newest = entries(page).first();
  await newest.locator("summary").press("Enter");
  await newest.locator(".diff-before", { hasText: "Description 1" }).waitFor();
  await newest.locator(".diff-after", { hasText: "Description 2" }).waitFor();
  await newest.getByText("feature.update").waitFor();
  await newest.locator("summary").press("Enter");
  await newest.locator(".diff").waitFor({ state: "hidden" });
  await newest.locator("summary").press("Enter");
  await newest.getByRole("link", { name: "View" }).press("Enter");
  await page.waitForURL("**/projects/shop/features/unfolded");
});

test("a creation has no before", async () => {
  await change("created", 0);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/created");
  const first = entry(page, "created a feature");
  await first.locator("summary").press("Enter");
  await first.locator(".diff-lines .diff-after").first().waitFor();
  assert.equal(await first.locator(".diff-lines .diff-before").count(), 0);
});

test("the log can be filtered by person, resource and dates, and the filter stays in the URL", async () => {
  await change("narrowed", 1);
  await service.as("productionEditor", "PATCH", "/projects/shop/features/narrowed", { description: "By another" });
  const page = await admin.as("readOnly", "/audit-log");
  await page.getByLabel("Resource").fill("/projects/shop/features/narrowed/");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".audit-log > li").length === 3);
  await page.getByRole("button", { name: /Person$/ }).press("Enter");
  await page.getByRole("option", { name: "Pablo Reyes" }).press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".audit-log > li").length === 1);
  await page.getByLabel("From").fill(today());
  await page.getByLabel("To").fill(today());
  await entry(page, "Pablo Reyes changed a feature").waitFor();
  const { id } = (await service.as("readOnly", "GET", "/users?limit=200")).items.find(
    ({ name }) => name === "Pablo Reyes",
  );
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
    resource: "projects/shop/features/narrowed",
    user: id,
    from: today(),
    to: today(),
  });

  await page.reload();
  await entry(page, "Pablo Reyes changed a feature").waitFor();
  assert.equal(await entries(page).count(), 1);
  await page.getByLabel("To").fill("2020-01-01");
  await page.getByRole("heading", { name: "No matching entries" }).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).press("Enter");
  await entries(page).nth(3).waitFor();
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.getByLabel("Resource").inputValue(), "");
});

test("older entries are loaded on request, down to the first", async () => {
  await change("paged", 119);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/paged");
  await page.getByRole("status").getByText("50 entries loaded, more available.").waitFor();
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByRole("status").getByText("100 entries loaded, more available.").waitFor();
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByRole("status").getByText("120 entries in total.").waitFor();
  assert.equal(await entries(page).count(), 120);
  await entries(page).last().getByText("created a feature").waitFor();
  assert.equal(await page.getByRole("button", { name: "Load older entries" }).count(), 0);
});

test("names are shown as text, in the summary and in the diff", async () => {
  const { id } = await service.as("administrator", "POST", "/users", { name: STRANGE_NAME, role: "editor" });
  const token = await service.setUp(id);
  await fetch(`${service.base}/api/v1/projects/shop/features`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ key: "odd", name: STRANGE_NAME }),
  });
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/odd");
  const only = entry(page, "created a feature");
  assert.equal(await only.locator(".audit-log-person").textContent(), STRANGE_NAME);
  await only.locator("summary").press("Enter");
  await only.locator(".diff-lines", { hasText: "<script>" }).waitFor();
});

test("a log that can't be loaded shows the error and can be retried; loaded entries stay", async () => {
  await change("failing", 60);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/failing");
  await page.getByRole("status").getByText("50 entries").waitFor();
  await page.route("**/ui/api/v1/audit-log?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Out of order." } }),
  );
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByText("Out of order.").waitFor();
  expectComplaint(page, /500/);
  assert.equal(await entries(page).count(), 50);
  await page.unroute("**/ui/api/v1/audit-log?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByRole("status").getByText("61 entries in total.").waitFor();
});

test("axe finds nothing on the page, collapsed and expanded, wide and narrow, and nothing moves while it loads", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.as("administrator", "/audit-log", { width });
    await entries(page).first().waitFor();
    await page.reload();
    await entries(page).first().waitFor();
    await nothingMoved(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await entries(page).first().locator("summary").press("Enter");
    await entries(page).first().locator(".diff").waitFor();
    await axeFindsNothing(page);
  }
});
