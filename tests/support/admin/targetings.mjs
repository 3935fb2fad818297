// Creates features with targeting over REST, and finds the parts of the targeting editor.
import { expectComplaint } from "./admin.mjs";

/** The path of a feature's targeting, in REST and on the pages. */
export function targetingPath(feature, environment) {
  return `/projects/shop/features/${feature}/environments/${environment}`;
}

/** Creates a feature with this targeting in staging. Returns the path of the targeting. */
export async function createFeature(service, key, { targeting, environment = "staging", ...feature } = {}) {
  await service.as("administrator", "POST", "/projects/shop/features", { key, name: key, ...feature });
  if (targeting) await service.as("administrator", "PUT", targetingPath(key, environment), targeting);
  return targetingPath(key, environment);
}

export function rule(name, splits = { on: 100 }, more = {}) {
  const shares = Object.entries(splits).map(([variantKey, percentage]) => ({ variantKey, percentage }));
  return { name, splits: shares, ...more };
}

export function targeting(rules, more = {}) {
  return { enabled: true, offVariantKey: "off", rules, ...more };
}

/** The checkbox that turns targeting on or off together with the other changes. */
export function turnWithSave(page, state) {
  return page.getByRole("checkbox", { name: `Turn targeting ${state} with the next save`, exact: true });
}

/** A rule in the editor. */
export function ruleCard(page, name) {
  return page.getByRole("list").getByRole("listitem", { name, exact: true });
}

/** The names of the rules from top to bottom. */
export async function ruleNames(page) {
  const fields = page.getByRole("textbox", { name: /^Name of rule/ });
  await fields.first().waitFor();
  return Promise.all((await fields.all()).map((field) => field.inputValue()));
}

/** Opens a list and selects an option. */
export async function selectOption(page, button, option) {
  await button.click();
  await page.getByRole("option", { name: option }).click();
}

export async function openReview(page) {
  await page.getByRole("button", { name: /^Review and/ }).click();
  return page.getByRole("dialog");
}

/** Expects that Chromium has logged a response with this status. */
export function expectStatus(page, status) {
  expectComplaint(page, new RegExp(`status of ${status}`));
}
