// The page that compares two environments: opening it and finding its parts.
import { release } from "./release.mjs";

/** The address that compares Staging with Production, below the project's. */
export const PAIR = "compare?source=staging&target=production";

let number = 0;

/** Creates a project for one test. */
export async function project(admin, more) {
  number += 1;
  const key = `release-${number}`;
  return { key, ...(await release(admin.service, key, more)) };
}

/** Opens the page with this role and waits for its rows. */
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

/** One side of a row: term → value. */
export async function side(page, name, which) {
  const cell = row(page, name).getByRole("cell").nth({ source: -2, target: -1 }[which]);
  const [terms, values] = [await cell.locator("dt").allInnerTexts(), await cell.locator("dd").allInnerTexts()];
  return Object.fromEntries(terms.map((term, index) => [term, values[index].replace(/\s+/g, " ")]));
}

/** Selects features and opens the confirmation. */
export async function ask(page, names) {
  for (const name of names) await tick(page, name).press("Space");
  await bar(page).getByRole("button").last().press("Enter");
  await dialog(page).waitFor();
}

/** Presses a key until the element has the focus. */
export async function keyTo(page, locator, key = "Tab") {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press(key);
    if (await locator.evaluateAll((all) => all.includes(document.activeElement))) return;
  }
  throw new Error(`${key} does not reach ${locator}.`);
}
