// What tests find on the pages of approvals.
import { release, targeting } from "./release.mjs";

let number = 0;

/** A project of its own for a test; in it a change of the production editor waits, of Waiting in Production. */
export async function project({ service }, more) {
  number += 1;
  const key = `approvals-${number}`;
  return { key, ...(await release(service, key, more)) };
}

/** Asks for a change of targeting; answers with the approval that it needs. */
export function ask({ service }, role, key, feature, environment, change) {
  return service.as(role, "PATCH", targeting(key, feature, environment), change);
}

/** Approves, rejects or cancels a request, as somebody at another window does. */
export function decide({ service }, role, at, { id }, verdict) {
  return service.as(role, "POST", `${at}/approvals/${id}/${verdict}`, {});
}

/** A request as somebody with this role sees it. */
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
