// A comparison of 1,000 features with ten rules on each side. The campaign `pages` measures how fast it is.
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

test("of 1,000 compared features only the visible rows are rendered", async (t) => {
  // Sign in first: right after such an import the server is slow.
  const page = await admin.as("administrator", "/users");
  await addLargeProject(admin.service);
  const interactive = await openLargeComparison(page);
  t.diagnostic(JSON.stringify({ interactive, ...(await scroll(page)) }));
  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), `${MANY + 1}`);
  assert.ok((await page.getByRole("row").count()) < 100, "Only visible rows are rendered.");
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "Feature 999", exact: true }).waitFor();
});
