// A write that is made, and whose answer is lost: the pages say that it may have been made, and find out.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { expectComplaint, hold, loseNextAnswer, startAdmin } from "../../support/admin/admin.mjs";
import { switchOf } from "../../support/admin/rows.mjs";
import { createFeature, openReview, rule, targeting } from "../../support/admin/targetings.mjs";

const PROJECT = "/projects/shop";
const UNKNOWN = "The change may have been made: check before you try again. Your input is still here.";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const read = (path) => service.as("administrator", "GET", path);
const lost = (page) => expectComplaint(page, /ERR_FAILED/);

/** Renames the rule of a new feature, and saves it without getting an answer. The page finds that out when `findOut` is called. */
async function saveWithoutAnswer(key) {
  const path = await createFeature(service, key, { targeting: targeting([rule("Old")]) });
  const page = await admin.as("editor", path);
  await page.getByLabel("Name of rule 1").fill("New");
  const review = await openReview(page);
  await review.getByLabel("Comment").fill("Renamed");
  const findOut = await hold(page, "**/health/live");
  await loseNextAnswer(page, `**${path}`);
  await review.getByRole("button", { name: "Save to Staging" }).press("Enter");
  await review.getByText(UNKNOWN).waitFor();
  lost(page);
  assert.equal(await review.getByLabel("Comment").inputValue(), "Renamed");
  assert.equal((await read(path)).rules[0].name, "New");
  return { path, page, review, findOut };
}

test("the review says that the change may have been made, and closes once the page has read that it was", async () => {
  const { page, review, findOut } = await saveWithoutAnswer("found-out");
  await Promise.all([page.getByText("found-out in Staging was saved.").waitFor(), findOut()]);
  await review.waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name of rule 1").inputValue(), "New");
  assert.equal(await page.getByRole("region", { name: "Unsaved changes" }).count(), 0);
});

test("a second save of what was saved already says that it was saved, not that someone else changed it", async () => {
  const { path, page, review, findOut } = await saveWithoutAnswer("saved-twice");
  await review.getByRole("button", { name: "Save to Staging" }).press("Enter");
  await Promise.all([page.getByText("saved-twice in Staging was saved.").waitFor(), findOut()]);
  await review.waitFor({ state: "detached" });
  // Unless the page has read it before the button was pressed.
  page.wrongs = page.wrongs.filter((text) => !/412/.test(text));
  assert.equal(await page.getByText("Someone else changed this targeting").count(), 0);
  assert.equal((await read(path)).rules[0].name, "New");
});

test("an audience, a feature and an environment that are saved again are saved, without an empty list of differences", async () => {
  const conditions = [{ attribute: "country", operator: "equals", values: ["SE"] }];
  await service.as("administrator", "POST", `${PROJECT}/audiences`, { key: "lost", name: "Lost", conditions });
  await service.as("administrator", "POST", `${PROJECT}/environments`, { key: "lost", name: "Lost" });
  await createFeature(service, "lost");
  for (const at of ["audiences/lost", "environments/lost", "features/lost"]) {
    const page = await admin.as("administrator", `${PROJECT}/${at}`);
    if (at.startsWith("features")) await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Found");
    await loseNextAnswer(page, `**/api/v1${PROJECT}/${at}`);
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.press("Enter");
    await page.getByText(UNKNOWN).waitFor();
    lost(page);
    await save.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Found" }).waitFor();
    assert.equal(await page.getByText("Someone else has").count(), 0, at);
    page.wrongs = page.wrongs.filter((text) => !/412/.test(text));
    assert.equal((await read(`${PROJECT}/${at}`)).name, "Found");
  }
});

test("a switch and a change of several features do not say that nothing was changed", async () => {
  const page = await admin.as("administrator", `${PROJECT}/features?search=search-suggestions`);
  await loseNextAnswer(page, "**/environments/staging");
  const control = switchOf(page, "Search suggestions", "Staging");
  await control.press("Space");
  await page.getByText("Search suggestions in Staging may have changed.").waitFor();
  lost(page);

  await page.getByRole("checkbox", { name: "Select Search suggestions" }).press("Space");
  await page.getByRole("button", { name: "Archive…" }).press("Enter");
  await loseNextAnswer(page, "**/features/search-suggestions");
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^(Archive|Request)/ })
    .press("Enter");
  const results = page.getByRole("alertdialog", { name: "Results" });
  await results.getByText("1 feature without an answer.").waitFor();
  await results.getByRole("listitem").getByText("No answer", { exact: true }).waitFor();
  lost(page);
});
