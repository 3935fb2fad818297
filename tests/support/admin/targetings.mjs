// What tests of targeting do beside the pages: ask the REST API as a person of a role, and find their way in the editor.
import { expectComplaint } from "./admin.mjs";

/** Where a feature is targeted, below `/projects/shop`. */
export function place(feature, environment) {
  return `/projects/shop/features/${feature}/environments/${environment}`;
}

/** Asks the REST API as somebody with this role; fails when it refuses. */
export async function ask(service, role, method, path, body) {
  const headers = { authorization: `Bearer ${service.tokenOf(role)}`, "content-type": "application/json" };
  const request = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${service.base}/api/v1${path}`, request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** A new feature with this targeting in staging; answers its path on the pages. */
export async function newFeature(service, key, { targeting, environment = "staging", ...feature } = {}) {
  await ask(service, "administrator", "POST", "/projects/shop/features", { key, name: key, ...feature });
  if (targeting) await ask(service, "administrator", "PUT", place(key, environment), targeting);
  return place(key, environment);
}

export function rule(name, splits = { on: 100 }, more = {}) {
  const shares = Object.entries(splits).map(([variantKey, percentage]) => ({ variantKey, percentage }));
  return { name, splits: shares, ...more };
}

export function targeting(rules, more = {}) {
  return { enabled: true, offVariantKey: "off", rules, ...more };
}

/** The card of a rule in the editor. */
export function card(page, name) {
  return page.getByRole("list").getByRole("listitem", { name, exact: true });
}

/** The names of the rules from top to bottom. */
export async function order(page) {
  const fields = page.getByRole("textbox", { name: /^Name of rule/ });
  await fields.first().waitFor();
  return Promise.all((await fields.all()).map((field) => field.inputValue()));
}

/** Takes a choice of a list that opens from a button. */
export async function choose(page, button, option) {
  await button.click();
  await page.getByRole("option", { name: option }).click();
}

export async function review(page) {
  await page.getByRole("button", { name: /^Review and/ }).click();
  return page.getByRole("dialog");
}

/** The page was told no: Chromium says so on the console. */
export function expectStatus(page, status) {
  expectComplaint(page, new RegExp(`status of ${status}`));
}
