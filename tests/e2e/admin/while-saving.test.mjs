// While a request is under way, nothing that is typed is thrown away, and people may leave.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { comeBackUntil, expectComplaint, holdWrites, startAdmin } from "../../support/admin/admin.mjs";
import { createFeature, openReview, rule, ruleCard, ruleNames, targeting } from "../../support/admin/targetings.mjs";

const PROJECT = "/projects/shop";

let admin;
let service;

before(async () => {
  admin = await startAdmin();
  service = admin.service;
});
afterEach(() => admin.endTest());
after(() => admin.close());

const read = (path) => service.as("administrator", "GET", path);
const button = (page, name) => page.getByRole("button", { name, exact: true });

test("rules typed while a rollout is saved stay as unsaved changes of what was saved", async () => {
  const path = await createFeature(service, "typed-ahead", {
    targeting: targeting([rule("Half", { on: 50, off: 50 })]),
  });
  const page = await admin.as("editor", path);
  const send = await holdWrites(page);
  await page.getByLabel("Serve on to this percentage of everyone").fill("60");
  await button(page, "Roll out").press("Enter");
  await page.getByLabel("Name of rule 1").fill("Sixty");
  const unsaved = page.getByRole("region", { name: "Unsaved changes" });
  await unsaved.waitFor();
  // What was sent can be neither discarded nor saved a second time.
  assert.equal(await unsaved.getByRole("button", { name: "Discard" }).isDisabled(), true);
  assert.equal(await unsaved.getByRole("button", { name: "Review and save…" }).isDisabled(), true);
  send();
  await page.getByText("typed-ahead in Staging was saved.").waitFor();
  assert.deepEqual(await ruleNames(page), ["Sixty"]);
  assert.equal(await page.getByText("Someone else changed this targeting").count(), 0);
  const { rules } = await read(path);
  assert.deepEqual(rules, [rule("Half", { on: 60, off: 40 }, { conditions: [] })]);

  const dialog = await openReview(page);
  await dialog.getByRole("button", { name: "Save to Staging" }).press("Enter");
  await unsaved.waitFor({ state: "detached" });
  assert.deepEqual((await read(path)).rules, [{ ...rules[0], name: "Sixty" }]);
});

test("a rollout that nobody has typed beside leaves no unsaved changes", async () => {
  const path = await createFeature(service, "not-typed", { targeting: targeting([rule("Half", { on: 50, off: 50 })]) });
  const page = await admin.as("editor", path);
  await page.getByLabel("Serve on to this percentage of everyone").fill("60");
  await button(page, "Roll out").press("Enter");
  await page.getByText("not-typed in Staging was saved.").waitFor();
  assert.equal(await ruleCard(page, "Rule 1, Half").getByLabel("Percentage for on").inputValue(), "60");
  await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
});

test("what is typed while an audience is saved stays, and is saved with the next save", async () => {
  const path = `${PROJECT}/audiences/typed-ahead`;
  const conditions = [{ attribute: "country", operator: "equals", values: ["SE"] }];
  await service.as("administrator", "POST", `${PROJECT}/audiences`, { key: "typed-ahead", name: "Typed", conditions });
  const page = await admin.as("editor", path);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const send = await holdWrites(page);
  await name.fill("First");
  await button(page, "Save").press("Enter");
  await name.fill("Second");
  assert.equal(await button(page, "Discard").isDisabled(), true);
  send();
  await page.getByText("First was saved.").waitFor();
  assert.equal(await name.inputValue(), "Second");
  assert.equal((await read(path)).name, "First");
  await button(page, "Save").press("Enter");
  await page.getByText("Second was saved.").waitFor();
  assert.equal((await read(path)).name, "Second");
});

test("a comment typed while the one before it is sent stays", async () => {
  const { items } = await read(`${PROJECT}/approvals?state=pending`);
  const page = await admin.as("editor", `${PROJECT}/approvals/${items[0].id}`);
  const comment = page.getByLabel("Your comment");
  const send = await holdWrites(page);
  await comment.fill("One");
  await button(page, "Comment").press("Enter");
  await comment.fill("Two");
  send();
  await page.getByRole("list", { name: "Comments" }).getByText("One", { exact: true }).waitFor();
  await page.locator("button:not([aria-disabled])", { hasText: /^Comment$/ }).waitFor();
  assert.equal(await comment.inputValue(), "Two");
});

test("the settings of an environment keep what is typed during a save, and after it when someone else saves", async () => {
  const path = `${PROJECT}/environments/typed-ahead`;
  await service.as("administrator", "POST", `${PROJECT}/environments`, { key: "typed-ahead", name: "Typed" });
  const page = await admin.as("administrator", path);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const origins = page.getByLabel("Allowed origins");
  const send = await holdWrites(page);
  await name.fill("First");
  await button(page, "Save").press("Enter");
  await name.fill("Second");
  assert.equal(await button(page, "Discard").isDisabled(), true);
  send();
  await page.getByText("First was saved.").waitFor();
  assert.equal(await name.inputValue(), "Second");
  await button(page, "Save").press("Enter");
  await page.getByText("Second was saved.").waitFor();

  await origins.fill("https://typed.example");
  await service.as("administrator", "PATCH", path, { name: "Theirs" });
  await comeBackUntil(page, page.getByRole("heading", { level: 1, name: "Theirs" }).waitFor());
  assert.equal(await origins.inputValue(), "https://typed.example");
  await button(page, "Save").press("Enter");
  await page.getByRole("region", { name: "Theirs and Yours" }).waitFor();
  expectComplaint(page, /412/);
  assert.equal((await read(path)).name, "Theirs");
});

test("a person who goes back while something is created stays there", async () => {
  const page = await admin.as("administrator", `${PROJECT}/features`);
  await page.getByRole("navigation").getByRole("link", { name: "Environments" }).click();
  await button(page, "New environment").click();
  const dialog = page.getByRole("dialog", { name: "New environment" });
  await dialog.getByLabel("Name", { exact: true }).fill("Left behind");
  const send = await holdWrites(page);
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await page.goBack();
  await page.waitForURL(`**${PROJECT}/features`);
  await dialog.waitFor({ state: "detached" });
  send();
  await page.getByText("Left behind was created. Every feature is off in it.").waitFor();
  assert.ok(page.url().endsWith(`${PROJECT}/features`), page.url());
});
