// A server that goes down while a page is in use, and comes back.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { hold, startAdmin } from "../../support/admin/admin.mjs";

const FEATURES = "/projects/shop/features";
const OUTAGE = "The server can't be reached. This page may be out of date";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** Chromium logs failed requests on the console; nothing else may be there. */
function expectOnlyFailedRequests(page) {
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_|50[24]/);
}

test("a server outage is shown, input is kept, and work continues once the server is back", async () => {
  const page = await admin.as("editor", FEATURES);
  await page.getByRole("button", { name: "New feature" }).click();
  const dialog = page.getByRole("dialog", { name: "New feature" });
  await dialog.getByLabel("Name").fill("Typed during the outage");
  await admin.service.kill();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog
    .getByText("The change may have been made: check before you try again. Your input is still here.")
    .waitFor();
  await page.getByText(OUTAGE).waitFor();

  await admin.service.start();
  // The page reconnects by itself; the session has survived the restart.
  await page.getByText(OUTAGE).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(`**${FEATURES}/typed-during-the-outage`);
  expectOnlyFailedRequests(page);
});

test("a list that could not be loaded is loaded once the server is back", async () => {
  const page = await admin.as("editor", "/users", { savesData: false });
  // The code of the other pages is loaded before that of the dialogs.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/dialogs-[^/]*\.js$/.test(name)),
  );
  const features = page.getByRole("link", { name: "Features" });
  await features.waitFor();
  // Until then the page does not find out by itself.
  const findOut = await hold(page, "**/health/live");
  await admin.service.kill();
  await features.click();
  await page.getByText(OUTAGE).waitFor();
  await admin.service.start();
  await Promise.all([page.waitForRequest("**/health/live"), page.getByRole("button", { name: "Try now" }).click()]);
  findOut();
  await page.getByRole("link", { name: "New checkout", exact: true }).waitFor();
  expectOnlyFailedRequests(page);
});
