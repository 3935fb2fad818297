// The layout of every page with twelve environments: it fits its window, its text can be read, its controls can be hit.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";
import { createProject, openComparison, openCopyDialog, PAIR } from "../../support/admin/comparison.mjs";
import {
  createManyEnvironments,
  ENVIRONMENTS,
  openLoaded,
  resize,
  tooLow,
  tooSmall,
  tooWide,
} from "../../support/admin/many-environments.mjs";

/** 800 px are the least beside the navigation, and 720 px are 1440 px at 200% zoom. */
const WIDTHS = [1920, 1440, 1024, 800, 720, 360];
const STANDARD_WIDTH = 1440;

let admin;
let pages;

before(async () => {
  // Nothing is listening there.
  admin = await startAdmin(["--analytics-us-url", "http://127.0.0.1:9"]);
  pages = await createManyEnvironments(admin.service);
});
afterEach(() => admin.endTest());
after(() => admin.close());

const button = (page, name) => page.getByRole("button", { name, exact: true });

async function tooWideAt(page, name) {
  const found = [];
  for (const width of WIDTHS) {
    await resize(page, width);
    found.push(...(await page.evaluate(tooWide)).map((element) => `${name} at ${width} px: ${element}`));
  }
  return found;
}

/** What is wrong on each page: too wide at any width, with another size of its text, with small text, with low controls. */
async function inspectPages() {
  const page = await admin.as("administrator");
  const found = { wide: [], sizes: [], small: [], low: [] };
  for (const [name, address] of Object.entries(pages)) {
    await resize(page, STANDARD_WIDTH);
    await openLoaded(page, address);
    const sizes = await page.evaluate(() =>
      [document.documentElement, document.body].map((one) => getComputedStyle(one).fontSize),
    );
    if (sizes.some((size) => size !== "16px")) found.sizes.push(`${name}: ${sizes}`);
    found.small.push(...(await page.evaluate(tooSmall)).map((text) => `${name}: ${text}`));
    found.low.push(...(await page.evaluate(tooLow)).map((control) => `${name}: ${control}`));
    found.wide.push(...(await tooWideAt(page, name)));
  }
  return found;
}

let inspected;
/** The pages are opened once for all tests. */
const inspectedPages = () => {
  inspected ??= inspectPages();
  return inspected;
};

test("nothing is wider than the window or reaches beyond its frame, from 360 to 1920 px and at 200% zoom", async () => {
  assert.deepEqual((await inspectedPages()).wide, []);
});

test("forms with an entry for each environment fit too", async () => {
  const page = await admin.as("administrator");
  for (const [address, action] of [
    [pages.features, "New feature"],
    [pages.feature, "Edit"],
    [pages.pipeline, "Edit…"],
    [pages.pipelines, "New pipeline"],
    [pages.audiences, "New audience"],
    [pages.integrations, "Edit"],
  ]) {
    await resize(page, STANDARD_WIDTH);
    await openLoaded(page, address);
    await button(page, action).first().click();
    await page.getByRole("dialog").locator("input").first().waitFor();
    assert.deepEqual(await tooWideAt(page, `${action} of ${address}`), []);
  }
});

test("text has 16 px unless it is beside other text, none is below 12 px, and controls are at least 32 px high", async () => {
  const { sizes, small, low } = await inspectedPages();
  assert.deepEqual([sizes, small, low], [[], [], []]);
});

test("production is marked in the list of features, as a column and in the card of a phone", async () => {
  for (const [width, label] of [
    [1440, "[role=columnheader]"],
    [360, "[role=cell] > .table-cell-label"],
  ]) {
    const page = await admin.as("administrator", "/projects/shop/features", { width });
    await page.getByRole("switch").first().waitFor();
    const marked = await page.locator(`${label}:has(.production-mark)`).allTextContents();
    assert.deepEqual([...new Set(marked)], ["Production", "Production EU"], `${width} px`);
  }
});

test("environments that do not fit are scrolled to, below their names, between the names of the features and their menus", async () => {
  for (const width of [1440, 1024]) {
    const page = await admin.as("administrator", pages.features, { width });
    const environment = ENVIRONMENTS[10];
    const control = page.getByRole("switch", { name: `Checkout in ${environment}`, exact: true });
    const header = page.getByRole("columnheader", { name: environment, exact: true });
    const name = page.getByRole("link", { name: "Checkout", exact: true });
    const menu = page.getByRole("button", { name: "Actions for Checkout", exact: true });
    await control.waitFor();
    const isInView = async () => page.evaluate((box) => box.x + box.width <= innerWidth, await menu.boundingBox());
    assert.ok(await isInView(), "The menu is in view before anything is scrolled.");
    await control.focus();
    // The head follows the body.
    await page.waitForFunction(() => {
      const [head, body] = document.querySelectorAll("[role=table] .table-sideways");
      return body.scrollLeft > 0 && head.scrollLeft === body.scrollLeft;
    });
    const frame = await page.getByRole("table", { name: "Features" }).boundingBox();
    const inRow = [name, header, control.locator(".."), menu];
    const boxes = await Promise.all(inRow.map((one) => one.boundingBox()));
    const isInside = ({ x, width }) => x >= frame.x && x + width <= frame.x + frame.width;
    assert.ok(boxes.every(isInside), JSON.stringify(boxes));
    const [nameBox, headerBox, controlBox, menuBox] = boxes;
    assert.ok(nameBox.x + nameBox.width <= controlBox.x, JSON.stringify(boxes));
    assert.ok(controlBox.x + controlBox.width <= menuBox.x, JSON.stringify(boxes));
    assert.ok(Math.abs(headerBox.x - controlBox.x) < 2, JSON.stringify(boxes));
  }
});

test("at 1280 px four environments fit beside the names of the features, and the owner of a token fits two lines", async () => {
  const page = await admin.as("administrator", "/projects/shop/features", { width: 1280, height: 800 });
  await page.getByRole("switch", { name: "New checkout in Production EU" }).waitFor();
  const [shown, all] = await page
    .locator(".table-sideways")
    .first()
    .evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
  assert.equal(all, shown);

  await page.goto("/tokens");
  const row = page.getByRole("row").filter({ hasText: "Alma Lindqvist" }).first();
  const owner = await row.getByText("Alma Lindqvist", { exact: true }).boundingBox();
  const you = await row.getByText("You", { exact: true }).boundingBox();
  const { y, height } = await row.boundingBox();
  assert.ok(owner.height < 30, `The name is on one line: ${owner.height} px.`);
  assert.ok(y + height - (you.y + you.height) >= 2, "There is space below the chip.");
});

test("no line of the breadcrumbs begins with the sign between them", async () => {
  const name = "A name that says everything about what it is for, who wants it and when it goes. ".repeat(2).trim();
  await admin.service.as("administrator", "POST", "/projects/shop/features", { key: "long-name", name });
  const page = await admin.as("administrator", "/projects/shop/features/long-name/environments/staging");
  const breadcrumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await breadcrumbs.getByText(name).waitFor();
  const [list, open] = await Promise.all(["Features", name].map((text) => breadcrumbs.getByText(text).boundingBox()));
  assert.ok(open.y > list.y, "The name is on the next line.");
  assert.equal(open.x, (await breadcrumbs.boundingBox()).x);
});

test("a key of a hundred letters breaks in the card of a phone", async () => {
  const key = "k".repeat(100);
  await admin.service.as("administrator", "POST", "/projects/shop/features", { key, name: "Long key" });
  const page = await admin.as("administrator", "/projects/shop/features?search=long+key", { width: 390, height: 844 });
  const [card, text] = await Promise.all(
    [page.locator("[role=row][data-index]"), page.getByText(key, { exact: true })].map((one) => one.boundingBox()),
  );
  assert.ok(text.x + text.width <= card.x + card.width, JSON.stringify([text, card]));
});

test("the time of a copy that has to be chosen is in view when it is asked for", async () => {
  const project = await createProject(admin);
  const page = await openComparison(admin, "productionEditor", project, PAIR, { width: 1280, height: 800 });
  await openCopyDialog(page, ["Checkout", "Guarded", "Banner", "Lane", "Preview", "Ranking", "Train"]);
  const dialog = page.getByRole("alertdialog");
  const later = dialog.getByText("At a time");
  // The last that is in view.
  await later.evaluate((one) => one.scrollIntoView({ block: "end" }));
  await later.click();
  const [field, buttons] = await Promise.all(
    [dialog.getByLabel("Date and time"), dialog.locator(".dialog-buttons")].map((one) => one.boundingBox()),
  );
  assert.ok(field.y + field.height <= buttons.y, JSON.stringify([field, buttons]));
});

test("the checkbox of a row is in front of the name, not behind it, as a column and in a card", async () => {
  const page = await admin.as("administrator", pages.compare);
  const checkbox = page.locator("[data-index='0'] .checkbox-box");
  for (const width of [1440, 360]) {
    await resize(page, width);
    await checkbox.scrollIntoViewIfNeeded();
    await checkbox.click();
  }
  await page.getByText("None selected").waitFor();
});
