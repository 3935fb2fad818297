// A server that goes away while somebody is at work, and comes back.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";

const FEATURES = "/projects/shop/features";
const AWAY = "The server cannot be reached. What you see may be out of date";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** Chromium says on the console what it could not reach; that, and no more. */
function onlyUnreachable(page) {
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_|50[24]/);
}

test("a server that went away is told, what was typed stays, and it goes on once the server is back", async () => {
  const page = await admin.as("editor", FEATURES);
  await page.getByRole("button", { name: "New feature" }).click();
  const dialog = page.getByRole("dialog", { name: "New feature" });
  await dialog.getByLabel("Name").fill("Typed while it was away");
  await admin.service.kill();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Nothing was changed, and what you entered is still here.").waitFor();
  await page.getByText(AWAY).waitFor();

  await admin.service.start();
  // It asks by itself; the session has outlived the server.
  await page.getByText(AWAY).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(`**${FEATURES}/typed-while-it-was-away`);
  onlyUnreachable(page);
});

test("a list that could not be read is read once the server is back", async () => {
  const page = await admin.as("editor", "/users");
  // The other pages' code is fetched after this one's.
  await page.waitForLoadState("networkidle");
  await admin.service.kill();
  await page.getByRole("link", { name: "Features" }).click();
  await page.getByText(AWAY).waitFor();
  await admin.service.start();
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByRole("link", { name: "New checkout", exact: true }).waitFor();
  onlyUnreachable(page);
});
