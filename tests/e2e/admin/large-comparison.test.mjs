// A comparison of 1,000 features with ten rules on each side. How quick it is, the campaign `pages` measures.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "./pages.mjs";
import { addLargeProject, MANY, openLargeComparison, scroll } from "./speed.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("1,000 features are compared in rows that exist where they are seen, and no frame is empty while they scroll", async (t) => {
  await addLargeProject(admin.service);
  const page = await admin.as("administrator", "/users");
  const interactive = await openLargeComparison(page);
  const { empty, ...frames } = await scroll(page);
  t.diagnostic(JSON.stringify({ interactive, ...frames }));
  assert.equal(empty, 0, "Frames in which a part of the window had no row.");
  assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), `${MANY + 1}`);
  assert.ok((await page.getByRole("row").count()) < 100, "Only the rows in view exist.");
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "Feature 999", exact: true }).waitFor();
});
