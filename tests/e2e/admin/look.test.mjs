// What all pages look like: breadcrumbs, the typeface, the height of rows, links to the guide, and what a browser loads first.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { axeFindsNothing, beginSession, nothingMoved, startAdmin } from "../../support/admin/admin.mjs";
import { openLoaded } from "../../support/admin/many-environments.mjs";

/** The highest row with one line, and with two, in CSS pixels. */
const ONE_LINE_PX = 44;
const TWO_LINES_PX = 56;

/** The most JavaScript that a browser transfers until a page is there, after compression. docs/figures.md has what it is. */
const JAVASCRIPT_KB = { "/sign-in": 155, "/": 180, "/projects/shop/features": 180 };
/** All pages are more than this. */
const LEAST_OF_ALL_KB = 250;

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

test("breadcrumbs lead from a page back to its list and its project", async () => {
  const page = await admin.as("readOnly", "/projects/shop/features/new-checkout/environments/production");
  const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await page.getByRole("heading", { level: 1, name: "New checkout" }).waitFor();
  await crumbs.getByRole("link", { name: "Shop" }).waitFor();
  assert.deepEqual(await crumbs.getByRole("listitem").allTextContents(), ["Shop", "Features", "New checkout"]);
  assert.equal(await crumbs.locator("[aria-current=page]").textContent(), "New checkout");
  await crumbs.getByRole("link", { name: "Features" }).click();
  await page.getByRole("heading", { level: 1, name: "Features" }).waitFor();
  assert.deepEqual(await crumbs.getByRole("listitem").allTextContents(), ["Shop", "Features"]);
  await page.goto("/projects/shop/audiences/paying-customers");
  await crumbs.getByRole("link", { name: "Shop" }).click();
  await page.waitForURL((url) => url.pathname === "/projects/shop/features");
  await page.goto("/users");
  await page.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(await crumbs.count(), 0);
});

test("the typeface comes from the server, once, and no other host is asked for anything", async () => {
  const page = await admin.open();
  const addresses = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto("/sign-in");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  assert.ok(await page.evaluate(() => document.fonts.check("16px Inter", "Flag")));
  // The page asks the server for the session, and Chromium logs the 401.
  page.wrongs.splice(0);
  assert.equal(addresses.filter((address) => address.endsWith(".woff2")).length, 1, addresses.join(" "));
  const others = addresses.filter((address) => !address.startsWith(admin.service.base) && !address.startsWith("data:"));
  assert.deepEqual(others, []);
  const license = await fetch(`${admin.service.base}/ui/assets/inter-license.txt`);
  assert.match(await license.text(), /SIL OPEN FONT LICENSE Version 1\.1/);
});

test("for people who ask for reduced motion, nothing moves without end while a page loads", async () => {
  const page = await admin.as("readOnly", "/users");
  // Never answered, so the list stays as it is while it loads.
  await page.route(/\/ui\/api\/v1\/audit-log\?/, () => {});
  await page.goto("/audit-log");
  await page.locator(".skeleton").first().waitFor();
  const endless = () =>
    page.evaluate(() => {
      const moving = document.getAnimations().map(({ effect }) => effect.getComputedTiming().endTime);
      return moving.filter((endTime) => endTime === Number.POSITIVE_INFINITY).length;
    });
  assert.equal(await endless(), 0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.notEqual(await endless(), 0);
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("a typeface that arrives late moves nothing up or down", async () => {
  const page = await admin.open();
  await beginSession(page, admin.service.tokenOf("readOnly"));
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/*.woff2", async (route) => {
    await held;
    await route.continue();
  });
  // The page is loaded when the typeface is.
  await page.goto("/projects/shop/environments", { waitUntil: "domcontentloaded" });
  await page.getByText("3 of 15").waitFor();
  const tops = () =>
    page.evaluate(() => [...document.querySelectorAll("#content *")].map((one) => one.getBoundingClientRect().top));
  const before = await tops();
  release();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() => document.fonts.check("16px Inter", "Flag"));
  const moved = (await tops()).filter((top, index) => Math.abs(top - before[index]) > 1.5);
  assert.deepEqual(moved, []);
});

test("rows with one line have 44 px, and rows with two lines at most 56 px", async () => {
  const page = await admin.as("administrator");
  const heights = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("[data-index]")].map((row) => row.getBoundingClientRect().height),
    );
  for (const address of ["/users", "/projects/shop/goals"]) {
    await openLoaded(page, address);
    for (const height of await heights()) assert.ok(height <= ONE_LINE_PX, `${address}: ${height}`);
  }
  for (const address of ["/", "/tokens", "/approvals", "/projects/shop/audiences", "/projects/shop/environments"]) {
    await openLoaded(page, address);
    for (const height of await heights()) assert.ok(height <= TWO_LINES_PX, `${address}: ${height}`);
  }
});

test("a short list has links to the guide, which exist; axe finds nothing, and nothing moves", async () => {
  const page = await admin.as("administrator");
  for (const address of [
    "/projects/shop/experiments",
    "/projects/shop/pipelines",
    "/projects/shop/environments",
    "/tokens",
  ]) {
    await openLoaded(page, address);
    const links = page.getByRole("navigation", { name: "Guide" }).getByRole("link");
    assert.equal(await links.count(), 3);
    for (const link of await links.all()) {
      const answer = await fetch(new URL(await link.getAttribute("href"), admin.service.base));
      assert.equal(answer.status, 200, await link.textContent());
    }
    await axeFindsNothing(page);
    await nothingMoved(page);
  }
});

test("axe finds nothing on the sign-in page, in light and dark, wide and narrow", async () => {
  for (const width of [1440, 360]) {
    const page = await admin.open({ width });
    await page.goto("/sign-in");
    await page.getByRole("heading", { name: "Where do I get a token?" }).waitFor();
    page.wrongs.splice(0);
    await axeFindsNothing(page);
  }
});

test("the first page transfers no more JavaScript than it needs; the rest follows when the browser is idle", async (t) => {
  for (const [role, address] of [
    [undefined, "/sign-in"],
    ["administrator", "/"],
    ["administrator", "/projects/shop/features"],
  ]) {
    // For people who save data nothing follows.
    const page = await admin.open({ savesData: true });
    if (role) await beginSession(page, admin.service.tokenOf(role));
    await openPage(page, address);
    await page.waitForLoadState("networkidle");
    const { kb, files } = await page.evaluate(javascript);
    t.diagnostic(`${address}: ${kb} kB in ${files} files`);
    assert.ok(kb <= JAVASCRIPT_KB[address], `${address}: ${kb} kB`);
    page.wrongs.splice(0);
  }
  const page = await admin.as("administrator", "/projects/shop/features", { savesData: false });
  // On a busy machine the browser is idle long after the network is.
  const all = await page.waitForFunction(javascript, LEAST_OF_ALL_KB, { polling: 200 });
  const { kb, files } = await all.jsonValue();
  t.diagnostic(`all so far: ${kb} kB in ${files} files`);
});

async function openPage(page, address) {
  if (address !== "/sign-in") return openLoaded(page, address);
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** In the page: what it has loaded, if that is more than `leastKb`. */
function javascript(leastKb = 0) {
  const scripts = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"));
  const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  const kb = Math.round(bytes / 100) / 10;
  return kb > leastKb && { kb, files: scripts.length };
}
