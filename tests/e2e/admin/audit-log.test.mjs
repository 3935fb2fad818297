// The audit log: narrowed by filters that stay in the address, read on page by page, each entry unfolded to what it changed.
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

/** That many changes of one feature, one after the other. */
async function change(key, times) {
  await service.as("editor", "POST", "/projects/shop/features", { key, name: key });
  for (let time = 1; time <= times; time++) {
    await service.as("editor", "PATCH", `/projects/shop/features/${key}`, { description: `Description ${time}` });
  }
}

test("every role reads who did what, newest first", async () => {
  await change("read", 1);
  for (const role of ROLES) {
    const page = await admin.as(role, "/audit-log");
    const [newest, before] = [entries(page).nth(0), entries(page).nth(1)];
    await newest.getByText("Edda Okafor changed a feature").waitFor();
    await newest.getByText("projects/shop/features/read").waitFor();
    await before.getByText("Edda Okafor created a feature").waitFor();
  }
});

test("an entry unfolds by keyboard to before and after, and leads to what it changed", async () => {
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
  await newest.getByRole("link", { name: "Open it" }).press("Enter");
  await page.waitForURL("**/projects/shop/features/unfolded");
});

test("what was created has no before", async () => {
  await change("created", 0);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/created");
  const first = entry(page, "created a feature");
  await first.locator("summary").press("Enter");
  await first.locator(".diff-lines .diff-after").first().waitFor();
  assert.equal(await first.locator(".diff-lines .diff-before").count(), 0);
});

test("who, what and when narrow the log, and stay in the address", async () => {
  await change("narrowed", 1);
  await service.as("productionEditor", "PATCH", "/projects/shop/features/narrowed", { description: "By another" });
  const page = await admin.as("readOnly", "/audit-log");
  await page.getByLabel("What").fill("/projects/shop/features/narrowed/");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".audit-log > li").length === 3);
  await page.getByRole("button", { name: /Who$/ }).press("Enter");
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
  await page.getByRole("heading", { name: "No entry matches" }).waitFor();
  await page.getByRole("button", { name: "Clear the filter" }).press("Enter");
  await entries(page).nth(3).waitFor();
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.getByLabel("What").inputValue(), "");
});

test("older entries are loaded when asked for, to the very first", async () => {
  await change("paged", 119);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/paged");
  await page.getByRole("status").getByText("50 entries, and there are older ones.").waitFor();
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByRole("status").getByText("100 entries, and there are older ones.").waitFor();
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByRole("status").getByText("120 entries, to the very first.").waitFor();
  assert.equal(await entries(page).count(), 120);
  await entries(page).last().getByText("created a feature").waitFor();
  assert.equal(await page.getByRole("button", { name: "Load older entries" }).count(), 0);
});

test("names are shown as text, in the line and in what changed", async () => {
  const { id } = await service.as("administrator", "POST", "/users", { name: STRANGE_NAME, role: "editor" });
  const { token } = await service.as("administrator", "POST", "/tokens", { name: "Odd", userId: id });
  await fetch(`${service.base}/api/v1/projects/shop/features`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ key: "odd", name: STRANGE_NAME }),
  });
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/odd");
  const only = entry(page, "created a feature");
  assert.equal(await only.locator(".audit-log-who").textContent(), STRANGE_NAME);
  await only.locator("summary").press("Enter");
  await only.locator(".diff-lines", { hasText: "<script>" }).waitFor();
});

test("a log that cannot be read says so, and is read again when asked; what is there stays", async () => {
  await change("failing", 60);
  const page = await admin.as("readOnly", "/audit-log?resource=projects/shop/features/failing");
  await page.getByRole("status").getByText("50 entries").waitFor();
  await page.route("**/ui/api/v1/audit-log?**", (route) =>
    route.fulfill({ status: 500, json: { detail: "Ours to mend." } }),
  );
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByText("Ours to mend.").waitFor();
  expectComplaint(page, /500/);
  assert.equal(await entries(page).count(), 50);
  await page.unroute("**/ui/api/v1/audit-log?**");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await page.getByRole("status").getByText("61 entries, to the very first.").waitFor();
});

test("the page pleases axe, folded and unfolded, wide and narrow, and nothing moves while it loads", async () => {
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
