// The audit log: sentences by day, what changed in words, filters, and entries that expand to show what was recorded.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, nothingMoved, ROLES, startAdmin } from "../../support/admin/admin.mjs";
import { createReleaseProject, targetingPath } from "../../support/admin/release.mjs";
import { shownTexts } from "../../support/admin/rows.mjs";

const STRANGE_NAME = `<script>alert("1")</script> 'quoted' \u202eright to left`;

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const log = (page) => page.getByRole("region", { name: "Entries, newest first" });
const entries = (page) => log(page).locator("ol.audit-log-entries > li");
const entry = (page, text) => entries(page).filter({ hasText: text });
const recorded = (entry) => entry.getByRole("button", { name: "Before and after" });
const changes = (entry) => shownTexts(entry.getByRole("list", { name: "Changes" }).locator("> li"));
const sentencesOf = (page) => shownTexts(entries(page).locator(".audit-log-what"));
const today = () => new Date().toLocaleDateString("sv");
/** The address of the entries about one feature. */
const about = (feature, project = "shop") => `/audit-log?project=${project}&feature=${feature}`;

const createProject = async (key) => ({ key, ...(await createReleaseProject(service, key)) });

/** A rule that serves everyone this variant to a percentage, and `off` to the rest. */
const rule = (variantKey, percentage) => ({
  conditions: [],
  splits: [
    { variantKey: "off", percentage: 100 - percentage },
    { variantKey, percentage },
  ].filter(({ percentage }) => percentage > 0),
});

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
    await newest.getByText("Edda Okafor changed the feature read").waitFor();
    await before.getByText("Edda Okafor created the feature read").waitFor();
  }
});

test("an entry is a sentence with the names of the person, the feature and the environment, and links to it", async () => {
  const { key, at } = await createProject("sentences");
  const production = targetingPath(key, "lane", "production");
  await service.as("productionEditor", "PATCH", production, { enabled: true });
  await service.as("productionEditor", "PATCH", production, { rules: [rule("on", 100)] });
  await service.as("productionEditor", "PATCH", production, { offVariantKey: "on" });
  await service.as("productionEditor", "PATCH", production, { enabled: false, rules: [] });
  await service.as("productionEditor", "PATCH", `${at}/features/lane`, { lifecycle: "Archived" });
  const page = await admin.as("readOnly", about("lane", key));
  await entry(page, "archived Lane").waitFor();
  const sentences = (await sentencesOf(page)).slice(0, 5);
  assert.deepEqual(sentences, [
    "Pablo Reyes archived Lane",
    "Pablo Reyes switched Lane off in Production and changed its rules",
    "Pablo Reyes changed the off variant of Lane in Production",
    "Pablo Reyes changed the rules of Lane in Production",
    "Pablo Reyes switched Lane on in Production",
  ]);
  await entries(page).nth(4).getByRole("link", { name: "Lane" }).press("Enter");
  await page.waitForURL(`**${at}/features/lane/environments/production`);
});

test("below the sentence the change is in words: from what to what, what was added and removed", async () => {
  const { key, at } = await createProject("words");
  const production = targetingPath(key, "lane", "production");
  await service.as("productionEditor", "PATCH", production, { rules: [rule("on", 20)] });
  await service.as("productionEditor", "PATCH", production, { rules: [rule("on", 55)], comment: "As agreed." });
  await service.as("editor", "PATCH", `${at}/features/lane`, { name: "Fast lane", tags: ["roads"] });
  const page = await admin.as("readOnly", about("lane", key));
  await entry(page, "changed the feature Fast lane").waitFor();
  assert.deepEqual(await changes(entries(page).nth(0)), ["changed Name Lane → Fast lane", "added Tag roads added"]);
  assert.deepEqual(await changes(entries(page).nth(1)), ["edited Rule 1 edited off 80% → 45% on 20% → 55%"]);
  await entries(page).nth(1).getByText("As agreed.").waitFor();
});

test("the entries of approvals and of what belongs to a project or the organisation name what they are about", async () => {
  const { key, at, waiting } = await createProject("named");
  await service.as("editor", "POST", `${at}/approvals/${waiting.id}/comments`, { comment: "Why today?" });
  await service.as("administrator", "POST", `${at}/approvals/${waiting.id}/approve`, {});
  await service.as("administrator", "PATCH", `${at}/environments/production`, {
    allowedOrigins: ["https://shop.example"],
  });
  await service.as("administrator", "POST", `${at}/environments/production/client-keys`, { name: "Kiosk" });
  const page = await admin.as("readOnly", `/audit-log?project=${key}`);
  // It shows keys until the names are known.
  await entry(page, "requested approval of the change of Waiting in Production").waitFor();
  const sentences = (await sentencesOf(page)).slice(0, 6);
  assert.deepEqual(sentences, [
    "Alma Lindqvist created the client key Kiosk in Production",
    "Alma Lindqvist changed the environment Production",
    "Alma Lindqvist switched Waiting on in Production",
    "Alma Lindqvist approved the change of Waiting in Production",
    "Edda Okafor commented on the change of Waiting in Production",
    "Pablo Reyes requested approval of the change of Waiting in Production",
  ]);
  assert.deepEqual(await changes(entries(page).nth(1)), ["added Origin https://shop.example added"]);
  assert.deepEqual(await changes(entries(page).nth(5)), ["switched Targeting turned on"]);
  await entries(page).nth(2).getByText("Requested by Pablo Reyes").waitFor();
  await entries(page).nth(4).getByText("Why today?").waitFor();
  await entries(page).nth(2).getByRole("link", { name: "view request" }).press("Enter");
  await page.waitForURL(`**${at}/approvals/${waiting.id}`);

  const { id } = await service.as("administrator", "POST", "/users", { name: "Ines Vidal", role: "editor" });
  await service.as("administrator", "PATCH", `/users/${id}`, { role: "productionEditor" });
  await page.goto("/audit-log?kind=user");
  await entries(page).nth(1).getByText("Alma Lindqvist added Ines Vidal as editor").waitFor();
  await entries(page).nth(0).getByText("Alma Lindqvist changed Ines Vidal").waitFor();
  assert.deepEqual(await changes(entries(page).nth(0)), ["changed Role Editor → Production editor"]);
});

test("the entries of experiments name the experiment and its environment, link to it, and are a kind of their own", async () => {
  const place = "/projects/shop/environments/staging/experiments";
  const as = (method, path, body) => service.as("administrator", method, path, body);
  await service.as("editor", "POST", "/projects/shop/features", { key: "tried", name: "Tried", lifecycle: "Active" });
  await as("PATCH", targetingPath("shop", "tried", "staging"), { enabled: true, rules: [rule("on", 50)] });
  const goals = [{ key: "purchase", role: "primary" }];
  const plan = { plannedDays: 14, plannedParticipants: 500 };
  for (const key of ["trial", "gone"]) {
    await as("POST", place, { key, name: `The ${key}`, featureKey: "tried", controlVariantKey: "off", goals, ...plan });
  }
  await as("DELETE", `${place}/gone`);
  await as("PATCH", `${place}/trial`, { plannedDays: 7 });
  await as("PATCH", `${place}/trial`, { name: "The new trial" });
  await as("POST", `${place}/trial/start`);
  await as("POST", `${place}/trial/stop`, {});
  const page = await admin.as("readOnly", "/audit-log");
  await page.getByRole("group", { name: "Filter" }).getByRole("button", { name: /Kind$/ }).press("Enter");
  await page.getByRole("option", { name: "Experiments" }).press("Enter");
  await page.waitForURL("**/audit-log?kind=experiment");
  await entry(page, "stopped the experiment The new trial").waitFor();
  const sentences = async () => (await sentencesOf(page)).slice(0, 7);
  assert.deepEqual(await sentences(), [
    "Alma Lindqvist stopped the experiment The new trial in Staging",
    "Alma Lindqvist started the experiment The new trial in Staging",
    "Alma Lindqvist renamed the experiment The new trial in Staging",
    "Alma Lindqvist changed the experiment The trial in Staging",
    "Alma Lindqvist deleted the experiment The gone in Staging",
    "Alma Lindqvist created the experiment The gone in Staging",
    "Alma Lindqvist created the experiment The trial in Staging",
  ]);
  assert.equal(await entries(page).nth(4).getByRole("link").count(), 0, "What is deleted has no page.");
  await entries(page).nth(0).getByRole("link", { name: "The new trial" }).press("Enter");
  await page.waitForURL("**/projects/shop/experiments/staging/trial");
  await page.getByRole("heading", { level: 1, name: "The new trial" }).waitFor();

  // A guard trips only after days of participations, so the answer has the entry that the server would record then.
  await page.route("**/api/v1/audit-log?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const [stopped] = body.items;
    const guardTrips = [{ at: stopped.at, goal: "payment-error", variant: "on" }];
    body.items = [{ ...stopped, action: "experiment.guard", after: { ...stopped.after, guardTrips } }];
    await route.fulfill({ response, json: { ...body, nextCursor: null } });
  });
  await page.goto("/audit-log?kind=experiment");
  const guard = "found payment-error worse with on in the experiment The new trial in Staging";
  await entry(page, guard).waitFor();
});

test("the reason of a switch-off without approval stands out in the entry", async () => {
  const { key } = await createProject("broken");
  const path = targetingPath(key, "lane", "production");
  await service.as("productionEditor", "PATCH", path, { enabled: true });
  await service.as("productionEditor", "POST", `${path}/break-glass`, { reason: "Checkout fails for everyone." });
  const page = await admin.as("readOnly", `/audit-log?project=${key}&kind=targeting.break-glass`);
  await entry(page, "Pablo Reyes switched Lane off in Production without approval").waitFor();
  assert.equal(await entries(page).count(), 1);
  const reason = entries(page).locator(".audit-log-reason");
  assert.equal(await reason.textContent(), "Reason: Checkout fails for everyone.");
  await axeFindsNothing(page);
});

test("what is deleted with an environment has entries of its own", async () => {
  const { key, at } = await createProject("emptied");
  const as = (method, path, body) => service.as("administrator", method, path, body);
  await as("POST", `${at}/environments`, { key: "trial", name: "Trial" });
  await as("PATCH", targetingPath(key, "lane", "trial"), { enabled: true });
  await as("DELETE", `${at}/environments/trial`);
  const page = await admin.as("readOnly", about("lane", key));
  await entry(page, "Alma Lindqvist deleted the targeting of Lane in trial").waitFor();
});

test("the entries are grouped by day, each with a heading", async () => {
  await change("daily", 1);
  const page = await admin.as("readOnly", about("daily"));
  // What the server says is moved back by one day and by a month.
  await page.route("**/ui/api/v1/audit-log?**", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const [newest] = body.items;
    const earlier = (id, days) => {
      const at = new Date(newest.at);
      at.setDate(at.getDate() - days);
      return { ...newest, id, at: at.toISOString() };
    };
    body.items.push(earlier("yesterday", 1), earlier("earlier", 30), earlier("at the same time", 30));
    await route.fulfill({ response, json: body });
  });
  await page.reload();
  await entries(page).nth(4).waitFor();
  const day = new Date();
  day.setDate(day.getDate() - 30);
  const [weekday, date] = [{ weekday: "long" }, { dateStyle: "long" }].map((how) =>
    day.toLocaleDateString("en-GB", how),
  );
  const title = `${weekday} ${date}`;
  assert.deepEqual(await log(page).getByRole("heading", { level: 2 }).allTextContents(), ["Today", "Yesterday", title]);
  const counts = ["Today", "Yesterday", title].map((name) =>
    log(page).getByRole("region", { name }).locator("ol.audit-log-entries > li").count(),
  );
  assert.deepEqual(await Promise.all(counts), [2, 1, 2]);
});

test("an entry expands with the keyboard to show what was recorded before and after", async () => {
  await change("unfolded", 2);
  const page = await admin.as("readOnly", about("unfolded"));
  const newest = entries(page).first();
  await recorded(newest).press("Enter");
  await newest.locator(".diff-before", { hasText: "Description 1" }).waitFor();
  await newest.locator(".diff-after", { hasText: "Description 2" }).waitFor();
  await newest.getByText("feature.update").waitFor();
  await newest.getByText("projects/shop/features/unfolded").waitFor();
  await recorded(newest).press("Enter");
  await newest.locator(".diff").waitFor({ state: "hidden" });
  await recorded(newest).press("Enter");
  await newest.locator(".diff").waitFor();
  await newest.getByRole("link", { name: "unfolded" }).press("Enter");
  await page.waitForURL("**/projects/shop/features/unfolded/**");
});

test("a creation has no before", async () => {
  await change("created", 0);
  const page = await admin.as("readOnly", about("created"));
  const first = entry(page, "created the feature");
  await recorded(first).press("Enter");
  await first.locator(".diff-lines .diff-after").first().waitFor();
  assert.equal(await first.locator(".diff-lines .diff-before").count(), 0);
});

test("the log can be filtered by project, feature, environment, kind, person and dates, and the filter stays in the URL", async () => {
  const { key } = await createProject("narrowed");
  await service.as("productionEditor", "PATCH", targetingPath(key, "lane", "qa"), { offVariantKey: "on" });
  await service.as("editor", "PATCH", targetingPath(key, "lane", "qa"), { enabled: true });
  await service.as("editor", "PATCH", targetingPath(key, "lane", "staging"), { offVariantKey: "on" });
  await service.as("editor", "PATCH", `/projects/${key}/features/lane`, { description: "Of the road" });
  const { items } = await service.as("readOnly", "GET", "/projects?limit=200");
  const { name } = items.find((project) => project.key === key);
  const page = await admin.as("readOnly", "/audit-log");
  const pick = async (field, option) => {
    const filter = page.getByRole("group", { name: "Filter" });
    await filter.getByRole("button", { name: new RegExp(`${field}$`) }).press("Enter");
    await page.getByRole("option", { name: option }).press("Enter");
  };
  const shown = (count) =>
    page.waitForFunction((count) => document.querySelectorAll(".audit-log-entries > li").length === count, count);
  await page.getByRole("combobox", { name: "Feature" }).and(page.locator(":disabled")).waitFor();
  await pick("Project", name);
  await page.waitForURL((url) => url.searchParams.has("project"));
  await page.getByRole("combobox", { name: "Feature" }).fill("Lan");
  await page.getByRole("option", { name: /^Lane/ }).click();
  await page.waitForURL((url) => url.searchParams.has("feature"));
  await pick("Environment", /^QA/);
  await shown(3);
  await entry(page, "Edda Okafor switched Lane on in QA").waitFor();
  await pick("Person", "Pablo Reyes");
  await shown(1);
  await pick("Kind", "Targeting");
  await page.getByLabel("From", { exact: true }).fill(today());
  await page.getByLabel("To", { exact: true }).fill(today());
  await page.waitForURL((url) => url.searchParams.has("to"));
  await entry(page, "Pablo Reyes changed the off variant of Lane in QA").waitFor();
  const { id } = (await service.as("readOnly", "GET", "/users?limit=200")).items.find(
    ({ name }) => name === "Pablo Reyes",
  );
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
    ...{ project: key, feature: "lane", environment: "qa", person: id, kind: "targeting" },
    ...{ from: today(), to: today() },
  });

  await page.reload();
  await entry(page, "Pablo Reyes changed the off variant of Lane in QA").waitFor();
  assert.equal(await entries(page).count(), 1);
  // It shows the key until it knows the name.
  await page.getByRole("combobox", { name: "Feature" }).and(page.locator('[value="Lane"]')).waitFor();
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await page.getByRole("heading", { name: "No matching entries" }).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).press("Enter");
  await entries(page).nth(3).waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("older entries are loaded on request, down to the first", async () => {
  await change("paged", 119);
  const page = await admin.as("readOnly", about("paged"));
  await page.getByRole("status").getByText("50 entries loaded, more available.").waitFor();
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByRole("status").getByText("100 entries loaded, more available.").waitFor();
  await page.getByRole("button", { name: "Load older entries" }).press("Enter");
  await page.getByRole("status").getByText("120 entries in total.").waitFor();
  assert.equal(await entries(page).count(), 120);
  await entries(page).last().getByText("created the feature").waitFor();
  assert.equal(await page.getByRole("button", { name: "Load older entries" }).count(), 0);
});

test("names are shown as text, in the sentence and in the diff", async () => {
  const { id } = await service.as("administrator", "POST", "/users", { name: STRANGE_NAME, role: "editor" });
  const token = await service.setUp(id);
  await fetch(`${service.base}/api/v1/projects/shop/features`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ key: "odd", name: STRANGE_NAME }),
  });
  const page = await admin.as("readOnly", about("odd"));
  const only = entry(page, "created the feature");
  await only.waitFor();
  assert.equal(await only.locator(".audit-log-person").textContent(), STRANGE_NAME);
  assert.equal(await only.locator(".audit-log-what a").textContent(), STRANGE_NAME);
  await recorded(only).press("Enter");
  await only.locator(".diff-lines", { hasText: "<script>" }).waitFor();
});

test("a log that can't be loaded shows the error and can be retried; loaded entries stay", async () => {
  await change("failing", 60);
  const page = await admin.as("readOnly", about("failing"));
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
    await recorded(entries(page).first()).press("Enter");
    await entries(page).first().locator(".diff").waitFor();
    await axeFindsNothing(page);
  }
});
