// The pages of approvals: opening them and finding their parts.
import { release, targeting } from "./release.mjs";

let number = 0;

/** Creates a project for one test, with an approval request of the production editor for Waiting in Production. */
export async function project({ service }, more) {
  number += 1;
  const key = `approvals-${number}`;
  return { key, ...(await release(service, key, more)) };
}

/** Changes a targeting; returns the approval that it requires. */
export function ask({ service }, role, key, feature, environment, change) {
  return service.as(role, "PATCH", targeting(key, feature, environment), change);
}

/** Approves, rejects or cancels a request by REST, as someone in another window would. */
export function decide({ service }, role, at, { id }, verdict) {
  return service.as(role, "POST", `${at}/approvals/${id}/${verdict}`, {});
}

/** Opens a request with this role. */
export async function open(admin, role, address, options) {
  const page = await admin.as(role, address, options);
  await page.getByRole("region", { name: "Before" }).waitFor();
  return page;
}

export const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
export const request = (page) => page.getByRole("region", { name: "The request" });
export const comments = (page) => page.getByRole("region", { name: "Comments" });
export const dialog = (page) => page.getByRole("alertdialog");
export const fact = (page, term) => request(page).locator(".key-value-line", { hasText: term }).locator("dd");
