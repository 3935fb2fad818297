// The frame of every page: navigation, titles, themes, small screens.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, startAdmin } from "../../support/admin/admin.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

/** The pages by the list of the navigation that they are in. */
const PAGES = {
  Project: {
    Features: "/projects/shop/features",
    Compare: "/projects/shop/compare",
    Approvals: "/projects/shop/approvals",
    Audiences: "/projects/shop/audiences",
    Pipelines: "/projects/shop/pipelines",
    Environments: "/projects/shop/environments",
    Goals: "/projects/shop/goals",
    Experiments: "/projects/shop/experiments",
  },
  Organisation: {
    Projects: "/",
    Approvals: "/approvals",
    Integrations: "/integrations",
    Users: "/users",
    Tokens: "/tokens",
    "Audit log": "/audit-log",
  },
};
const LINKS = Object.entries(PAGES).flatMap(([list, pages]) =>
  Object.entries(pages).map(([name, address]) => ({ list, name, address })),
);

test("the navigation reaches every page, which starts with the focus on its title", async () => {
  const page = await admin.as("readOnly", "/projects/shop/goals");
  for (const { list, name, address } of LINKS) {
    // Approvals also shows how many are pending.
    const named = new RegExp(`^${name}( \\d+ pending)?$`);
    await page
      .getByRole("navigation")
      .getByRole("list", { name: list })
      .getByRole("link", { name: named })
      .press("Enter");
    // A page may add its filters to the URL.
    await page.waitForURL(({ pathname }) => pathname === address);
    await page.waitForFunction(() => document.activeElement.localName === "h1");
    const title = await page.getByRole("heading", { level: 1 }).textContent();
    assert.equal(await page.title(), `${title} · Flag Service`);
    const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
    assert.match(await current.textContent(), new RegExp(`^${name}(\\d+ pending)?$`));
  }
});

test("the navigation links to the documentation, which links back", async () => {
  const page = await admin.as("readOnly", "/users");
  await page.getByRole("navigation").getByRole("link", { name: "Documentation", exact: true }).click();
  await page.waitForURL("**/docs/");
  await page.getByRole("heading", { level: 1, name: "Flag Service" }).waitFor();
  await page.getByRole("link", { name: "Administration", exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname === "/" || pathname.startsWith("/projects"));
  await page.getByRole("navigation", { name: "Main" }).waitFor();
});

test("on a phone the navigation is behind a button, and nothing is wider than the screen", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features", { width: 360, height: 740 });
  await page.getByRole("link", { name: "New checkout", exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await axeFindsNothing(page);
  await menu.getByRole("link", { name: "Users" }).click();
  await page.waitForURL("**/users");
  await menu.waitFor({ state: "detached" });
});

test("the chosen theme is saved, and applied before the first paint", async () => {
  const page = await admin.as("readOnly", "/users");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Ravi Menon Read-only" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  const dark = await background();
  assert.notEqual(dark, light);
  await page.route("**/main-*.js", (route) => route.abort());
  await page.reload();
  assert.equal(await background(), dark, "Without the script of the pages.");
  page.wrongs.splice(0);
});

test("a skip link moves the focus to the content", async () => {
  const page = await admin.as("readOnly", "/users");
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.localName === "main");
});

test("an unknown URL shows that the page was not found", async () => {
  const page = await admin.as("readOnly", "/projects/shop/nothing");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await axeFindsNothing(page);
});
