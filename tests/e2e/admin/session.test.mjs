// Signing in and out, and a session that ends while a page is in use.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, expectComplaint, signIn, startAdmin } from "../../support/admin/admin.mjs";

const FEATURES = "/projects/shop/features";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** Chromium logs 401 responses on the console; nothing else may be there. */
function expectOnly401(page) {
  for (const text of page.wrongs.splice(0)) assert.match(text, /401/);
}

test("signing in opens the requested page", async () => {
  const page = await admin.open();
  await signIn(page, admin.service.tokenOf("readOnly"), "/users");
  assert.equal(new URL(page.url()).pathname, "/users");
});

test("an unknown token is refused with a message, and stays in the field", async () => {
  const page = await admin.open();
  await page.goto("/sign-in");
  await page.getByLabel("Personal access token").fill("api-nobody");
  await page.getByRole("button", { name: "Sign in" }).press("Enter");
  await page.locator(".field-error, .banner-bad").waitFor();
  assert.equal(await page.getByLabel("Personal access token").inputValue(), "api-nobody");
  expectOnly401(page);
});

test("axe finds nothing on the sign-in page, in light and dark", async () => {
  const page = await admin.open();
  await page.goto("/sign-in");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await axeFindsNothing(page);
  expectComplaint(page, /401/);
});

test("signing out ends the session", async () => {
  const page = await admin.as("editor", FEATURES);
  await page.getByRole("button", { name: "Edda Okafor Editor" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto(FEATURES);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expectOnly401(page);
});

test("when the session has ended, signing in over the page sends the input", async () => {
  const page = await admin.as("editor", FEATURES);
  await page.getByRole("button", { name: "New feature" }).click();
  const dialog = page.getByRole("dialog", { name: "New feature" });
  await dialog.getByLabel("Name").fill("Typed before the end");
  await page.context().clearCookies();
  await dialog.getByRole("button", { name: "Create" }).click();

  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByText("Edda Okafor").waitFor();
  await axeFindsNothing(page);
  await ended.getByLabel("Personal access token").fill(admin.service.tokenOf("editor"));
  await ended.getByRole("button", { name: "Sign in and continue" }).click();
  await page.waitForURL(`**${FEATURES}/typed-before-the-end`);
  expectOnly401(page);
});

test("a waiting request is not sent in the name of another person who signs in", async () => {
  const page = await admin.as("editor", FEATURES);
  const control = page.getByRole("switch", { name: "Reviews in Staging" });
  await control.waitFor();
  await page.context().clearCookies();
  await control.press("Space");
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByLabel("Personal access token").fill(admin.service.tokenOf("productionEditor"));
  await ended.getByRole("button", { name: "Sign in and continue" }).click();
  await page.getByRole("button", { name: "Pablo Reyes Production editor" }).waitFor();
  await page.getByText("Reviews in Staging was not changed.").waitFor();
  const targeting = "/projects/shop/features/reviews/environments/staging";
  assert.equal((await admin.service.as("editor", "GET", targeting)).enabled, true);
  expectOnly401(page);
});
