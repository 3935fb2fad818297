// The search over everything, and the keys that work on every page.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, signIn, startAdmin } from "../../support/admin/admin.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
  const { service } = admin;
  await service.as("administrator", "POST", "/projects", { key: "roastery", name: "Roastery" });
  const features = "/projects/roastery/features";
  await service.as("administrator", "POST", features, { key: "dark-roast", name: "Dark roast", tags: ["espresso"] });
});
afterEach(() => admin.endTest());
after(() => admin.close());

const dialog = (page) => page.getByRole("dialog", { name: "Search" });
const field = (page) => dialog(page).getByRole("searchbox", { name: "Search everything" });
const focusedField = (page) => field(page).and(page.locator(":focus"));
const results = (page, group) => dialog(page).getByRole("group", { name: group }).getByRole("menuitem");

/** Opens the search with the keyboard, types, and waits for the result. */
async function find(page, text, group, name) {
  await page.keyboard.press("Control+k");
  await focusedField(page).waitFor();
  await page.keyboard.type(text);
  await results(page, group).filter({ hasText: name }).first().waitFor();
}

const FOUND = [
  { text: "audit", group: "Pages", name: "Audit log", address: "/audit-log" },
  { text: "roastery", group: "Projects", name: "Roastery", address: "/projects/roastery/features" },
  { text: "staging", group: "Environments", name: "Staging", address: "/projects/shop/environments/staging" },
  { text: "pablo", group: "People", name: "Pablo Reyes", address: "/users?search=Pablo+Reyes" },
];

for (const { text, group, name, address } of FOUND) {
  test(`Ctrl K finds one of the ${group.toLowerCase()}, and Enter opens it`, async () => {
    const page = await admin.as("readOnly", "/projects/shop/goals");
    await find(page, text, group, name);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname + url.search === address);
    await dialog(page).waitFor({ state: "detached" });
  });
}

test("Enter opens what was pasted just before", async () => {
  const page = await admin.as("readOnly", "/projects/shop/goals");
  await find(page, "pablo", "People", "Pablo Reyes");
  await field(page).fill("");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await Promise.all([page.keyboard.insertText("pablo"), page.keyboard.press("Enter")]);
  await page.waitForURL((url) => url.pathname !== "/projects/shop/goals");
  assert.equal(new URL(page.url()).search, "?search=Pablo+Reyes");
});

test("a feature is found by name, key, tag and description, the best match first", async () => {
  const page = await admin.as("readOnly", "/projects/shop/goals");
  await find(page, "new-checkout", "Features", "New checkout");
  assert.match(await results(page, "Features").first().textContent(), /^New checkout/);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.startsWith("/projects/shop/features/new-checkout"));
});

test("an audience is found and opened with the arrow keys", async () => {
  const { service } = admin;
  const { items } = await service.as("administrator", "GET", "/projects/shop/audiences");
  const page = await admin.as("readOnly", "/projects/shop/goals");
  await find(page, items[0].key, "Audiences", items[0].name);
  while (!(await page.locator(`[data-focused]`).filter({ hasText: items[0].name }).count())) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === `/projects/shop/audiences/${items[0].key}`);
});

test("features of other projects are found, with the name of their project", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features");
  await find(page, "espresso", "Features of other projects", "Dark roast");
  assert.match(await results(page, "Features of other projects").first().textContent(), /Roastery$/);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.startsWith("/projects/roastery/features/dark-roast"));
});

test("nothing found says so; Escape closes the search and returns the focus", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features");
  const opener = page.getByRole("button", { name: "Search", exact: true });
  await opener.click();
  await field(page).fill("no such thing");
  await dialog(page).getByText('Nothing found for "no such thing"').waitFor();
  // The first Escape clears the field.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await opener.and(page.locator(":focus")).waitFor();
});

test("a search whose code could not be loaded says so, and is loaded at the next attempt", async () => {
  const page = await admin.open();
  let reachable = false;
  await page.route("**/assets/dialogs-*.js", (route) => (reachable ? route.continue() : route.abort()));
  await signIn(page, admin.service.tokenOf("readOnly"), "/projects/shop/features");
  await page.keyboard.press("Control+k");
  await dialog(page).getByText("This could not be loaded").waitFor();
  reachable = true;
  await dialog(page).getByRole("button", { name: "Try again" }).press("Enter");
  await focusedField(page).waitFor();
  for (const text of page.wrongs.splice(0)) assert.match(text, /net::ERR_FAILED/);
});

test("/ goes to the search field of the page, and where there is none opens the search", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features");
  await page.keyboard.press("/");
  await page.getByRole("searchbox", { name: "Search features" }).and(page.locator(":focus")).waitFor();
  // In a field it is a character.
  await page.keyboard.type("/k");
  assert.equal(await page.getByRole("searchbox", { name: "Search features" }).inputValue(), "/k");
  const goals = await admin.as("readOnly", "/projects/shop/goals");
  await goals.keyboard.press("/");
  await field(goals).waitFor();
});

test("? lists the keys", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const does of ["Search everything", "Go to the search field of the page"]) await help.getByText(does).waitFor();
  await axeFindsNothing(page);
  // Behind a dialog no key does anything.
  await page.keyboard.press("Control+k");
  await help.getByRole("button", { name: "Close" }).last().click();
  await help.waitFor({ state: "detached" });
  assert.equal(await dialog(page).count(), 0);
});

for (const width of [1440, 360]) {
  test(`axe finds nothing in the search at ${width} px`, async () => {
    const page = await admin.as("readOnly", "/projects/shop/features", { width });
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await focusedField(page).waitFor();
    await results(page, "Projects").filter({ hasText: "Roastery" }).waitFor();
    await axeFindsNothing(page);
    await page.keyboard.type("checkout");
    await results(page, "Features").first().waitFor();
    await results(page, "Projects").first().waitFor({ state: "detached" });
    await axeFindsNothing(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  });
}
