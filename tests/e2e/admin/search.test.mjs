// Fields that filter a list: what is typed arrives whole, however fast it is typed and however long the list is.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";
import { addLargeProject } from "../../support/admin/speed.mjs";

const KEY_MS = 20;
/** How many times slower than this machine: a computer in an office. */
const SLOWER = 4;
const TEXT = "feature number 217 of 1000";

let admin;

before(async () => {
  admin = await startAdmin();
  await addLargeProject(admin.service);
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** Opens a list of the large project on a slow computer. */
async function openSlowly(address) {
  const page = await admin.as("administrator", address);
  await page.getByRole("main").locator("[data-index], .state, .audit-log-entry").first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return page;
}

/** The field, when it shows this text. */
const withText = (field, text) => field.and(field.page().locator(`[value="${text}"]`));
const parameter = (page, name, value) => page.waitForURL((url) => url.searchParams.get(name) === value);

describe(`no search box loses a letter at ${KEY_MS} ms a key, with 1,000 features`, () => {
  for (const [address, inUrl] of [
    ["/projects/large/features", true],
    ["/projects/large/compare?source=staging&target=production&show=all", true],
    ["/projects/large/audiences", true],
    ["/projects/large/approvals", true],
    ["/users", false],
    ["/", false],
  ]) {
    test(`${address} keeps every letter`, async () => {
      const page = await openSlowly(address);
      const box = page.getByRole("main").getByRole("searchbox");
      await box.pressSequentially(TEXT, { delay: KEY_MS });
      assert.equal(await box.inputValue(), TEXT, "while the list follows");
      if (inUrl) await parameter(page, "search", TEXT);
      await page.getByRole("main").locator(".state").waitFor();
      assert.equal(await box.inputValue(), TEXT, "once the list has followed");
    });
  }
});

test("what is typed while the list follows is kept, and so is another filter that is set at once", async () => {
  const page = await openSlowly("/projects/large/features");
  const box = page.getByRole("searchbox", { name: "Search features" });
  await box.pressSequentially("feature 2", { delay: KEY_MS });
  await parameter(page, "search", "feature 2");
  await box.pressSequentially("17", { delay: KEY_MS });
  await page.getByRole("button", { name: /Lifecycle$/ }).click();
  await page.getByRole("option", { name: "Active" }).click();
  await parameter(page, "lifecycle", "Active");
  assert.equal(new URL(page.url()).searchParams.get("search"), "feature 217");
  await page.getByRole("link", { name: "Feature 217", exact: true }).waitFor();
  assert.equal(await box.inputValue(), "feature 217");
});

test("the search box follows the URL when others change it: a cleared filter, and Back", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features?search=basket");
  const box = page.getByRole("searchbox", { name: "Search features" });
  await page.getByRole("link", { name: "Sticky basket", exact: true }).click();
  await page.waitForURL("**/features/sticky-basket/**");
  await page.goBack();
  await withText(box, "basket").waitFor();
  await box.fill("no such feature");
  await page.locator(".state").getByRole("button", { name: "Clear filters" }).click();
  await parameter(page, "search", null);
  await withText(box, "").waitFor();
  await box.pressSequentially("win");
  await box.press("Escape");
  await withText(box, "").waitFor();
  await parameter(page, "search", null);
});

test("a day that is typed in the audit log arrives whole", async () => {
  const page = await openSlowly("/audit-log");
  const from = page.getByLabel("From");
  await from.focus();
  await page.keyboard.type("11212020", { delay: KEY_MS });
  assert.equal(await from.inputValue(), "2020-11-21");
  await parameter(page, "from", "2020-11-21");
  assert.equal(await from.inputValue(), "2020-11-21");
});
