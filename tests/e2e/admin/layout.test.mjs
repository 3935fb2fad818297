// The layout of every page with twelve environments: it fits its window, its text can be read, its controls can be hit.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";
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

async function fits(page, name) {
  for (const width of WIDTHS) {
    await resize(page, width);
    assert.deepEqual(await page.evaluate(tooWide), [], `${name} at ${width} px`);
  }
}

test("nothing is wider than the window or reaches beyond its frame, from 360 to 1920 px and at 200% zoom", async () => {
  const page = await admin.as("administrator");
  for (const [name, address] of Object.entries(pages)) {
    await resize(page, WIDTHS[0]);
    await openLoaded(page, address);
    await fits(page, name);
  }
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
    await resize(page, WIDTHS[0]);
    await openLoaded(page, address);
    await button(page, action).first().click();
    await page.getByRole("dialog").locator("input").first().waitFor();
    await fits(page, `${action} of ${address}`);
  }
});

test("text has 16 px unless it is beside other text, none is below 12 px, and controls are at least 32 px high", async () => {
  const page = await admin.as("administrator");
  for (const [name, address] of Object.entries(pages)) {
    await openLoaded(page, address);
    const sizes = await page.evaluate(() =>
      [document.documentElement, document.body].map((one) => getComputedStyle(one).fontSize),
    );
    assert.deepEqual(sizes, ["16px", "16px"], name);
    assert.deepEqual(await page.evaluate(tooSmall), [], name);
    assert.deepEqual(await page.evaluate(tooLow), [], name);
  }
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

test("environments that do not fit are scrolled to, below their names and beside the names of the features", async () => {
  for (const width of [1440, 1024]) {
    const page = await admin.as("administrator", pages.features, { width });
    const environment = ENVIRONMENTS[10];
    const control = page.getByRole("switch", { name: `Checkout in ${environment}`, exact: true });
    const header = page.getByRole("columnheader", { name: environment, exact: true });
    const name = page.getByRole("link", { name: "Checkout", exact: true });
    await control.waitFor();
    await control.focus();
    // The head follows the body.
    await page.waitForFunction(() => {
      const [head, body] = document.querySelectorAll("[role=table] .table-sideways");
      return body.scrollLeft > 0 && head.scrollLeft === body.scrollLeft;
    });
    const frame = await page.getByRole("table", { name: "Features" }).boundingBox();
    const boxes = await Promise.all([name, header, control.locator("..")].map((one) => one.boundingBox()));
    const isInside = ({ x, width }) => x >= frame.x && x + width <= frame.x + frame.width;
    assert.ok(boxes.every(isInside), JSON.stringify(boxes));
    const [nameBox, headerBox, controlBox] = boxes;
    assert.ok(nameBox.x + nameBox.width <= controlBox.x, JSON.stringify(boxes));
    assert.ok(Math.abs(headerBox.x - controlBox.x) < 2, JSON.stringify(boxes));
  }
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
