// Creates approval requests over REST, and finds the parts of the approval pages.
import { createReleaseProject, targetingPath } from "./release.mjs";

let number = 0;

/** Creates a project for one test. The production editor has requested a change to Waiting in Production. */
export async function createProject({ service }, more) {
  number += 1;
  const key = `approvals-${number}`;
  return { key, ...(await createReleaseProject(service, key, more)) };
}

/** Requests a change to targeting. Returns the approval. */
export function requestChange({ service }, role, key, feature, environment, change) {
  return service.as(role, "PATCH", targetingPath(key, feature, environment), change);
}

/** Approves, rejects or cancels a request over REST. */
export function decide({ service }, role, at, { id }, verdict) {
  return service.as(role, "POST", `${at}/approvals/${id}/${verdict}`, {});
}

/** Opens a request as a person with this role. */
export async function openRequest(admin, role, address, options) {
  const page = await admin.as(role, address, options);
  await page.getByRole("region", { name: "Before" }).waitFor();
  return page;
}

export const requestSection = (page) => page.getByRole("region", { name: "Request" });
export const commentsSection = (page) => page.getByRole("region", { name: "Comments" });
export const dialog = (page) => page.getByRole("alertdialog");
export const fact = (page, term) => requestSection(page).locator(".key-value-line", { hasText: term }).locator("dd");
