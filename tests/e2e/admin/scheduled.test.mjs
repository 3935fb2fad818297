// Changes at a time to come: chosen in the review and in a copy, listed with the approvals, and cancelled.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { createProject, openComparison, openCopyDialog, results } from "../../support/admin/comparison.mjs";
import { dialog, fact } from "../../support/admin/requests.mjs";
import { createFeature, openReview, rule, targeting } from "../../support/admin/targetings.mjs";

let admin;
let service;
/** Tomorrow at 9:30, as the field and as the pages write it. */
const tomorrow = new Date(Date.now() + 86_400_000);
tomorrow.setHours(9, 30, 0, 0);
const typed = `${tomorrow.getFullYear()}-${two(tomorrow.getMonth() + 1)}-${two(tomorrow.getDate())}T09:30`;
const shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(tomorrow);

function two(number) {
  return String(number).padStart(2, "0");
}

before(async () => {
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

test("scheduled changes are listed as they are due; a change in between says on the page that they become stale", async () => {
  const path = await createFeature(service, "in-order", { name: "In order", targeting: targeting([rule("A")]) });
  const first = await schedule(path, { enabled: false });
  const later = new Date(tomorrow.getTime() + 3_600_000);
  await schedule(path, { rules: [rule("B")] }, later);
  const page = await admin.as("editor", "/projects/shop/approvals?state=scheduled");
  const rows = page.getByRole("row").filter({ hasText: "In order" });
  await rows.first().waitFor();
  const times = await rows.locator("time").evaluateAll((times) => times.map(({ dateTime }) => dateTime));
  const due = times.filter((time) => Date.parse(time) > Date.now());
  assert.deepEqual(due.map(Date.parse), [tomorrow.getTime(), later.getTime()]);
  await nothingMoved(page);
  await axeFindsNothing(page);
  await page.goto(path);
  await page.getByText("Changes are scheduled, and build on each other.").waitFor();
  await service.as("editor", "PATCH", path, { offVariantKey: "on" });
  await page.goto(`/projects/shop/approvals/${first.id}`);
  await page.getByText("Stale: the change will not be made.").waitFor();
});

test("a change that was made at its time says so, and the audit log has it", async () => {
  const path = await createFeature(service, "made", { name: "Made", targeting: targeting([rule("A")]) });
  const { id } = await schedule(path, { enabled: false }, new Date(Date.now() + 500));
  const page = await admin.as("administrator", `/projects/shop/approvals/${id}`);
  while ((await service.as("readOnly", "GET", `/projects/shop/approvals/${id}`)).state !== "approved");
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
