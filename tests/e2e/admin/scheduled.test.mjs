// Changes at a time to come: chosen in the review and in a copy, shown as a calendar with the approvals, and cancelled.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { axeFindsNothing, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { createProject, openComparison, openCopyDialog, results } from "../../support/admin/comparison.mjs";
import { targetingPath } from "../../support/admin/release.mjs";
import { createProject as createRequests, dialog, fact } from "../../support/admin/requests.mjs";
import { createFeature, openReview, rule, targeting } from "../../support/admin/targetings.mjs";

/** Until then even a busy machine has sent the request: a time that has passed is refused. */
const SOON_MS = 10_000;
const POLL_MS = 100;

let admin;
let service;
/** Tomorrow at 9:30, as the field and as the pages write it. */
let tomorrow;
let typed;
let shown;

/** So many days later, at this time. */
function inDays(days, hours, minutes = 0) {
  const at = new Date();
  at.setDate(at.getDate() + days);
  at.setHours(hours, minutes, 0, 0);
  return at;
}

/** Waits for midnight if it is less than so many minutes away: the pages say "Tomorrow". */
async function waitUntilDayLasts(minutes) {
  const left = inDays(1, 0) - Date.now();
  if (left < minutes * 60_000) await setTimeout(left);
}

function two(number) {
  return String(number).padStart(2, "0");
}

before(async () => {
  await waitUntilDayLasts(3);
  tomorrow = inDays(1, 9, 30);
  typed = `${tomorrow.getFullYear()}-${two(tomorrow.getMonth() + 1)}-${two(tomorrow.getDate())}T09:30`;
  shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(tomorrow);
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** Schedules an edit over REST, as the editor. */
function schedule(path, edit, at = tomorrow) {
  return service.as("editor", "PATCH", path, { ...edit, scheduledFor: at.toISOString() });
}

test("a change is scheduled in the review, shown on the feature's page, and cancelled by its requester", async () => {
  const path = await createFeature(service, "by-review", { name: "By review", targeting: targeting([rule("A")]) });
  const page = await admin.as("editor", path);
  await page.getByRole("button", { name: "Add rule" }).click();
  const review = await openReview(page);
  await review.getByText("At a time").click();
  await review.getByRole("button", { name: "Schedule for Staging" }).press("Enter");
  // Without a time nothing is sent.
  await review.locator("[data-invalid]", { hasText: "Date and time" }).waitFor();
  assert.equal((await service.as("readOnly", "GET", path)).rules.length, 1);
  await review.getByLabel("Date and time").fill(typed);
  await review.getByLabel("Comment").fill("For the campaign");
  await axeFindsNothing(page);
  await review.getByRole("button", { name: "Schedule for Staging" }).press("Enter");
  await page.getByText(`The change of By review in Staging is scheduled for ${shown}.`).waitFor();
  assert.equal((await service.as("readOnly", "GET", path)).rules.length, 1);

  await page.getByText("A change is scheduled. Any other change here makes it stale.").waitFor();
  await axeFindsNothing(page);
  await page.getByRole("main").getByRole("link", { name: shown }).press("Enter");
  await page.getByText(`Waits for its time, ${shown}.`).waitFor();
  await fact(page, "Scheduled for").getByText(shown).waitFor();
  await page.getByRole("button", { name: "Cancel change…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Cancel change" }).press("Enter");
  await page.locator("#content").getByText("Cancelled. The change was not applied.").waitFor();
});

/** Chooses a time an hour after `tomorrow` in a review. */
async function chooseLater(review) {
  await review.getByText("At a time").click();
  await review.getByLabel("Date and time").fill(typed.replace("T09:", "T10:"));
}

/** The scheduled changes of a feature, as they are due. */
async function scheduledChanges(key) {
  const { items } = await service.as("readOnly", "GET", `/projects/shop/approvals?state=scheduled&featureKey=${key}`);
  const changes = await Promise.all(
    items.map(({ id }) => service.as("readOnly", "GET", `/projects/shop/approvals/${id}`)),
  );
  return changes.sort((one, other) => Date.parse(one.scheduledFor) - Date.parse(other.scheduledFor));
}

test("a second scheduled change keeps what the one before it leaves, and its review shows only what it changes", async () => {
  const path = await createFeature(service, "second", {
    name: "Second",
    targeting: targeting([rule("A"), rule("B")], { enabled: false }),
  });
  const half = rule("A", { on: 50, off: 50 });
  await schedule(path, { enabled: true, rules: [half, rule("Sweden"), rule("B")] });
  const page = await admin.as("editor", path);
  await page.getByLabel("Name of rule 1").fill("Everybody");
  await page.getByRole("button", { name: "Remove rule 2, B" }).click();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByLabel("Name of rule 2").fill("Norway");
  const review = await openReview(page);
  await chooseLater(review);
  await review.getByText(`Builds on the change scheduled for ${shown}.`).waitFor();
  const changes = review.getByRole("list", { name: "Changes" });
  await changes.getByText('Rule 3 "Norway" added').waitFor();
  await changes.getByText('name "A" → "Everybody"').waitFor();
  await changes.getByText('Rule 3 "B" removed').waitFor();
  assert.equal(await changes.getByText(/Targeting turned|Sweden/).count(), 0);
  await axeFindsNothing(page);
  await review.getByRole("button", { name: "Schedule for Staging" }).press("Enter");
  await review.waitFor({ state: "detached" });

  const [first, second] = await scheduledChanges("second");
  assert.deepEqual(second.before, first.after);
  assert.equal(second.after.enabled, true);
  const splitsByName = second.after.rules.map(({ name, splits }) => [name, splits]);
  assert.deepEqual(splitsByName, [
    ["Everybody", half.splits],
    ["Sweden", rule("").splits],
    ["Norway", rule("").splits],
  ]);
});

test("a scheduled change that is cancelled during the review of the next one is shown before that one is sent", async () => {
  const path = await createFeature(service, "taken-back", { name: "Taken back", targeting: targeting([rule("A")]) });
  const { id } = await schedule(path, { rules: [rule("A"), rule("B")] });
  const page = await admin.as("editor", path);
  await page.getByLabel("Name of rule 1").fill("All");
  const review = await openReview(page);
  await chooseLater(review);
  await review.getByText("Builds on the change scheduled for").waitFor();
  await service.as("editor", "POST", `/projects/shop/approvals/${id}/cancel`, {});
  await review.getByRole("button", { name: "Schedule for Staging" }).press("Enter");
  await review.getByText("What is scheduled has just changed. Check the changes again.").waitFor();
  assert.deepEqual(await scheduledChanges("taken-back"), []);
  await review.getByRole("button", { name: "Schedule for Staging" }).press("Enter");
  await review.waitFor({ state: "detached" });
  const [only] = await scheduledChanges("taken-back");
  assert.deepEqual(
    only.after.rules.map(({ name }) => name),
    ["All"],
  );
});

test("a change that is scheduled already is not scheduled again", async () => {
  const path = await createFeature(service, "twice", { name: "Twice", targeting: targeting([rule("A")]) });
  await schedule(path, { rules: [rule("All")] });
  const page = await admin.as("editor", path);
  await page.getByLabel("Name of rule 1").fill("All");
  const review = await openReview(page);
  await chooseLater(review);
  await review.getByText(`The change scheduled for ${shown} does all of this already.`).waitFor();
  assert.equal(await review.getByRole("button", { name: "Schedule for Staging" }).isDisabled(), true);
});

test("scheduled changes are listed as they are due; a change in between says on the page that they become stale", async () => {
  const path = await createFeature(service, "in-order", { name: "In order", targeting: targeting([rule("A")]) });
  const first = await schedule(path, { enabled: false });
  const later = new Date(tomorrow.getTime() + 3_600_000);
  await schedule(path, { rules: [rule("B")] }, later);
  const page = await admin.as("editor", "/projects/shop/approvals?state=scheduled");
  const items = day(page, "Tomorrow").getByRole("listitem").filter({ hasText: "In order" });
  await items.first().waitFor();
  const times = await items.locator("> time").evaluateAll((times) => times.map(({ dateTime }) => dateTime));
  assert.deepEqual(times.map(Date.parse), [tomorrow.getTime(), later.getTime()]);
  assert.equal(await items.first().getByText("Builds on").count(), 0);
  // The second says which one is made before it, and leads there.
  await items.last().getByRole("link", { name: "the change at 09:30" }).press("Enter");
  await page.waitForURL(`**/approvals/${first.id}`);
  await page.goBack();
  await items.first().waitFor();
  await axeFindsNothing(page);
  await page.goto(path);
  await page.getByText("Changes are scheduled, and build on each other.").waitFor();
  await service.as("editor", "PATCH", path, { offVariantKey: "on" });
  await page.goto(`/projects/shop/approvals/${first.id}`);
  await page.getByText("Stale: the change will not be made.").waitFor();
});

test("the calendar has a heading for each day with changes, and its strip leads there", async () => {
  const { at } = await createCalendar();
  const page = await admin.as("readOnly", `${at}/approvals?state=scheduled`);
  await day(page, "Tomorrow").waitFor();
  await nothingMoved(page);
  assert.deepEqual(await page.locator(".calendar-days").getByRole("heading").allTextContents(), [
    "Tomorrow",
    dayTitle(inDays(3, 9)),
    dayTitle(inDays(20, 8)),
  ]);
  await day(page, "Tomorrow").getByText("3 changes").waitFor();
  assert.deepEqual(await day(page, "Tomorrow").locator("li > time").allTextContents(), ["09:30", "10:15", "18:00"]);
  await page.getByText("16 days without changes").waitFor();

  const links = strip(page).getByRole("link");
  assert.equal(await strip(page).getByRole("listitem").count(), 14);
  const [next, third] = [inDays(1, 9), inDays(3, 9)].map(stripDay);
  assert.deepEqual(await links.allTextContents(), [`${next} 3`, `${third} 1`]);
  const link = (name) => strip(page).getByRole("link", { name, exact: true });
  await link(`${next}, 3 changes`).waitFor();
  await link(`${third}, 1 change`).press("Enter");
  await isFocusedInView(page, dayTitle(inDays(3, 9)));
  await axeFindsNothing(page);

  // The strip follows the search.
  await page.getByLabel("Search requests").fill("Ranking");
  await links.first().waitFor({ state: "detached" });
  await day(page, dayTitle(inDays(20, 8))).waitFor();
  await page.getByLabel("Search requests").fill("No such feature");
  await page.getByText("None of the 5 requests match the search.").waitFor();
});

test("the calendar marks production and what still waits for an approval", async () => {
  const { at } = await createCalendar();
  const page = await admin.as("administrator", `${at}/approvals?state=scheduled`);
  const item = (name) => day(page, "Tomorrow").getByRole("listitem").filter({ hasText: name });
  await item("Checkout").getByText("by Edda Okafor").waitFor();
  assert.equal(await item("Checkout").locator(".chip").count(), 0);
  const guarded = item("Guarded");
  assert.deepEqual(await guarded.locator(".chip").allTextContents(), ["Production", "Waits for approval"]);
  await guarded.getByRole("link", { name: "Guarded" }).press("Enter");
  await page.getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Approve for Production" }).press("Enter");
  await page.locator(".toasts").getByText("Approved. The change is made at its time.").waitFor();
  await page.goto(`${at}/approvals?state=scheduled`);
  await item("Guarded").getByText("by Pablo Reyes").waitFor();
  assert.equal(await page.getByText("Waits for approval").count(), 0);
});

test("the calendar fits a phone", async () => {
  const { at } = await createCalendar();
  for (const width of [390, 320]) {
    const page = await admin.as("editor", `${at}/approvals?state=scheduled`, { width, height: 700 });
    await day(page, "Tomorrow").waitFor();
    await nothingMoved(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const cells = await strip(page).getByRole("listitem").all();
    const wide = await Promise.all(cells.map((cell) => cell.evaluate((li) => li.scrollWidth > li.clientWidth)));
    assert.ok(!wide.includes(true), `at ${width} pixels`);
    await strip(page).getByRole("link").last().press("Enter");
    await isFocusedInView(page, dayTitle(inDays(3, 9)));
    await axeFindsNothing(page);
  }
});

test("the days of the calendar are those of the reader's time zone", async () => {
  const { key, at } = await createRequests(admin);
  // At no time do both have the same date.
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const time = new Date(Date.now() + 3 * 86_400_000);
  await schedule(targetingPath(key, "checkout", "staging"), { enabled: false }, time);
  const titles = [];
  for (const timezoneId of zones) {
    const page = await admin.as("editor", `${at}/approvals?state=scheduled`, { timezoneId });
    await day(page, dayTitle(time, timezoneId)).waitFor();
    await page.getByText(`Times in ${timezoneId.replace("_", " ")}`).waitFor();
    titles.push(...(await page.locator(".calendar-days").getByRole("heading").allTextContents()));
  }
  assert.notEqual(titles[0], titles[1]);
});

test("a change that was made at its time says so, and the audit log has it", async () => {
  const path = await createFeature(service, "made", { name: "Made", targeting: targeting([rule("A")]) });
  const { id } = await schedule(path, { enabled: false }, new Date(Date.now() + SOON_MS));
  const page = await admin.as("administrator", `/projects/shop/approvals/${id}`);
  while ((await service.as("readOnly", "GET", `/projects/shop/approvals/${id}`)).state !== "approved") {
    await setTimeout(POLL_MS);
  }
  assert.equal((await service.as("readOnly", "GET", path)).enabled, false);
  await page.reload();
  await page.getByText("Made at its time. View").waitFor();
  await page.goto("/audit-log");
  await page.getByText("made at its time the change of Made in Staging").first().waitFor();
});

test("approving a scheduled change says that it is made at its time", async () => {
  const path = await createFeature(service, "approved", { name: "Approved", approvalRequired: true });
  const { id } = await schedule(path, { enabled: true });
  const page = await admin.as("administrator", `/projects/shop/approvals/${id}`);
  await page.getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Approve for Staging" }).press("Enter");
  await page.locator(".toasts").getByText("Approved. The change is made at its time.").waitFor();
  await page.getByText(`Waits for its time, ${shown}.`).waitFor();
  await fact(page, "Approved").getByText("Alma Lindqvist").waitFor();
});

test("approving several requests says which are made at their time, before and after", async () => {
  const { at, key } = await createRequests(admin);
  await service.as("productionEditor", "PATCH", targetingPath(key, "train", "production"), {
    enabled: true,
    scheduledFor: tomorrow.toISOString(),
  });
  const page = await admin.as("administrator", `${at}/approvals`);
  await page.getByRole("checkbox", { name: "Select Train" }).press("Space");
  await page.getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page).getByText("All are in production. Users get this change at its time.").waitFor();
  await dialog(page).getByRole("listitem").filter({ hasText: "Train" }).getByText(shown).waitFor();
  await dialog(page).getByRole("button", { name: "Back" }).press("Enter");

  await page.getByRole("checkbox", { name: "Select Waiting" }).press("Space");
  await page.getByRole("button", { name: "Approve…" }).press("Enter");
  await dialog(page)
    .getByText("Users get those changes immediately, or at its time if a change is scheduled.")
    .waitFor();
  await axeFindsNothing(page);
  await dialog(page).getByRole("button", { name: "Approve 2 requests" }).press("Enter");
  await dialog(page)
    .getByText("1 request approved and applied, 1 request approved and scheduled.", { exact: true })
    .waitFor();
  const results = dialog(page).getByRole("listitem");
  await results.filter({ hasText: "Train" }).getByText("Scheduled", { exact: true }).waitFor();
  await results.filter({ hasText: "Waiting" }).getByText("Applied", { exact: true }).waitFor();
  assert.equal((await service.as("readOnly", "GET", targetingPath(key, "train", "production"))).enabled, false);
});

test("a copy at a time says so of all its features, also of those that need no approval", async () => {
  const page = await openComparison(admin, "productionEditor", await createProject(admin));
  await openCopyDialog(page, ["Checkout", "Guarded"]);
  const warning = dialog(page).getByText("Only 1 of 2 features needs approval: Guarded.");
  await warning.getByText("The others change in Production immediately.").waitFor();
  await dialog(page).getByText("At a time").click();
  await warning.getByText("The others change in Production at the time below.").waitFor();
  assert.equal(await dialog(page).getByText("immediately").count(), 0);
});

test("a copy is scheduled, and its results say so", async () => {
  const project = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", project);
  await openCopyDialog(page, ["Checkout"]);
  await dialog(page).getByText("At a time").click();
  await dialog(page).getByLabel("Date and time").fill(typed);
  await axeFindsNothing(page);
  await dialog(page).getByRole("button", { name: "Schedule for Production" }).press("Enter");
  await dialog(page).getByText("1 change scheduled for Production").waitFor();
  await results(page).first().getByText("Scheduled").waitFor();
  const { items } = await service.as("readOnly", "GET", `${project.at}/approvals?state=scheduled`);
  assert.deepEqual(
    items.map(({ featureKey, scheduledFor }) => [featureKey, Date.parse(scheduledFor)]),
    [["checkout", tomorrow.getTime()]],
  );
});

const day = (page, title) => page.getByRole("region", { name: title, exact: true });
const strip = (page) => page.getByRole("navigation", { name: "Next 14 days" });

/** `Monday 30 November`, with the year if it is another one. */
function dayTitle(at, timeZone) {
  const part = (options, date = at) => new Intl.DateTimeFormat("en-GB", { timeZone, ...options }).format(date);
  const year = part({ year: "numeric" });
  const isThisYear = year === part({ year: "numeric" }, new Date());
  const title = `${part({ weekday: "long" })} ${part({ day: "numeric", month: "long" })}`;
  return isThisYear ? title : `${title} ${year}`;
}

/** `Mon 30`; the first of a month is `Tue 1 Dec`. */
function stripDay(at) {
  const part = (options) => new Intl.DateTimeFormat("en-GB", options).format(at);
  const date = at.getDate() === 1 ? part({ day: "numeric", month: "short" }) : String(at.getDate());
  return `${part({ weekday: "short" })} ${date}`;
}

/** A project with five scheduled changes on three days, of which one waits for an approval. */
async function createCalendar() {
  const project = await createRequests(admin);
  const change = (role, feature, environment, at, edit = { enabled: true }) =>
    service.as(role, "PATCH", targetingPath(project.key, feature, environment), {
      ...edit,
      scheduledFor: at.toISOString(),
    });
  await change("editor", "ranking", "staging", inDays(20, 8));
  await change("editor", "checkout", "staging", inDays(1, 10, 15), { enabled: false });
  await change("productionEditor", "guarded", "production", inDays(1, 18));
  await change("editor", "banner", "staging", tomorrow, { enabled: false });
  await change("editor", "banner", "staging", inDays(3, 9));
  return project;
}

/** The heading of a day has the focus, and nothing covers it. */
async function isFocusedInView(page, title) {
  await page.getByRole("heading", { name: title, exact: true }).and(page.locator(":focus")).waitFor();
  const isVisible = await page.evaluate(() => {
    const { x, y, width, height } = document.activeElement.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === document.activeElement;
  });
  assert.ok(isVisible, title);
}
