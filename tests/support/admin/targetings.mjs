// Helpers for the tests of targeting: REST requests with a role, and the parts of the editor.
import { expectComplaint } from "./admin.mjs";

/** The path of a feature's targeting in the shop, for pages and REST. */
export function place(feature, environment) {
  return `/projects/shop/features/${feature}/environments/${environment}`;
}

/** Sends a REST request with this role; fails if the response is an error. */
export async function ask(service, role, method, path, body) {
  const headers = { authorization: `Bearer ${service.tokenOf(role)}`, "content-type": "application/json" };
  const request = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${service.base}/api/v1${path}`, request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Creates a feature with this targeting in staging; returns the address of the targeting page. */
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

/** Chooses an option of the list that a button opens. */
export async function choose(page, button, option) {
  await button.click();
  await page.getByRole("option", { name: option }).click();
}

export async function review(page) {
  await page.getByRole("button", { name: /^Review and/ }).click();
  return page.getByRole("dialog");
}

/** Expects an error response, which Chromium logs. */
export function expectStatus(page, status) {
  expectComplaint(page, new RegExp(`status of ${status}`));
}
