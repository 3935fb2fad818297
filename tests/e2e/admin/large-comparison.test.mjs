// A comparison of 1,000 features with ten rules on each side. How quick it is, the campaign `pages` measures.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";
import { addLargeProject, MANY, openLargeComparison, scroll } from "../../support/admin/speed.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("1,000 features are compared in rows that exist where they are seen", async (t) => {
  // Signed in first: a server that has just been given so much answers later.
  const page = await admin.as("administrator", "/users");
  await addLargeProject(admin.service);
  const interactive = await openLargeComparison(page);
  t.diagnostic(JSON.stringify({ interactive, ...(await scroll(page)) }));
  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), `${MANY + 1}`);
  assert.ok((await page.getByRole("row").count()) < 100, "Only the rows in view exist.");
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "Feature 999", exact: true }).waitFor();
});
