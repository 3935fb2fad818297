// Finds the parts of the comparison page.

import { createReleaseProject } from "./release.mjs";
import { row } from "./rows.mjs";

/** Staging compared with production, relative to the project's address. */
export const PAIR = "compare?source=staging&target=production";

let number = 0;

/** Creates a project for one test. */
export async function createProject(admin, more) {
  number += 1;
  const key = `release-${number}`;
  return { key, ...(await createReleaseProject(admin.service, key, more)) };
}

/** Opens the page as a person with this role, and waits for its rows. */
export async function openComparison(admin, role, { at }, query = PAIR, options) {
  const page = await admin.as(role, `${at}/${query}`, options);
  await page.locator("[data-index]").first().waitFor();
  return page;
}

export const featureCheckbox = (page, name) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
export const copyBar = (page) => page.getByRole("region", { name: "Copy" });
export const setting = (page, label) => copyBar(page).getByRole("checkbox", { name: label, exact: true });
export const dialog = (page) => page.getByRole("alertdialog");
export const results = (page) => dialog(page).getByRole("list", { name: "Results" }).getByRole("listitem");
export const shownFeatures = (page) => page.locator("[role=row] .name-link").allInnerTexts();
export const differences = (page, name) =>
  row(page, name).getByRole("list", { name: "Differences" }).getByRole("listitem").allInnerTexts();

/** The text in the source or the target column of a row, by term. */
export async function targetingIn(page, name, which) {
  const cell = row(page, name).getByRole("cell").nth({ source: -2, target: -1 }[which]);
  const [terms, values] = [await cell.locator("dt").allInnerTexts(), await cell.locator("dd").allInnerTexts()];
  return Object.fromEntries(terms.map((term, index) => [term, values[index].replace(/\s+/g, " ")]));
}

/** Selects features and opens the copy dialog. */
export async function openCopyDialog(page, names) {
  for (const name of names) await featureCheckbox(page, name).press("Space");
  await copyBar(page).getByRole("button").last().press("Enter");
  await dialog(page).waitFor();
}

/** Presses the key until the element has the focus. */
export async function pressUntilFocused(page, locator, key = "Tab") {
  await locator.first().waitFor({ state: "attached" });
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press(key);
    if (await locator.evaluateAll((all) => all.includes(document.activeElement))) return;
  }
  throw new Error(`${locator} did not get the focus by pressing ${key}.`);
}
