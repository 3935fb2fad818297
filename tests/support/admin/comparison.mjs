// What tests find on the page that compares two environments.
import { release } from "./release.mjs";

/** The address of the usual pair, below the project's. */
export const PAIR = "compare?source=staging&target=production";

let number = 0;

/** A project of its own for a test. */
export async function project(admin, more) {
  number += 1;
  const key = `release-${number}`;
  return { key, ...(await release(admin.service, key, more)) };
}

/** The page as somebody with this role sees it, with its rows. */
export async function open(admin, role, { at }, query = PAIR, options) {
  const page = await admin.as(role, `${at}/${query}`, options);
  await page.locator("[data-index]").first().waitFor();
  return page;
}

export const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
export const tick = (page, name) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
export const bar = (page) => page.getByRole("region", { name: "Copy" });
export const setting = (page, label) => bar(page).getByRole("checkbox", { name: label, exact: true });
export const dialog = (page) => page.getByRole("alertdialog");
export const results = (page) => dialog(page).getByRole("list", { name: "Results" }).getByRole("listitem");
export const shown = (page) => page.locator("[role=row] .compare-link").allInnerTexts();
export const differences = (page, name) =>
  row(page, name).getByRole("list", { name: "Differences" }).getByRole("listitem").allInnerTexts();

/** What stands on one side of a row, line by line. */
export async function side(page, name, which) {
  const cell = row(page, name).getByRole("cell").nth({ source: -2, target: -1 }[which]);
  const [terms, values] = [await cell.locator("dt").allInnerTexts(), await cell.locator("dd").allInnerTexts()];
  return Object.fromEntries(terms.map((term, index) => [term, values[index].replace(/\s+/g, " ")]));
}

/** Selects features, and opens the confirmation. */
export async function ask(page, names) {
  for (const name of names) await tick(page, name).press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  await dialog(page).waitFor();
}

/** Presses a key until this has the focus. */
export async function keyTo(page, locator, key = "Tab") {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press(key);
    if (await locator.evaluateAll((all) => all.includes(document.activeElement))) return;
  }
  throw new Error(`${locator} is not reached by ${key}.`);
}
