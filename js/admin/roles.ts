// What each role may do, as the server decides it again: a page hides what would only be refused.
import type { Role } from "./api/session.js";

const NAMES: Record<Role, string> = {
  administrator: "Administrator",
  productionEditor: "Production editor",
  editor: "Editor",
  readOnly: "Read-only",
};
const RANK: readonly Role[] = ["readOnly", "editor", "productionEditor", "administrator"];

export function roleName(role: Role): string {
  return NAMES[role];
}

/** Each role includes the rights of those before it. */
export function hasRole(role: Role, needed: Role): boolean {
  return RANK.indexOf(role) >= RANK.indexOf(needed);
}

/** Whether a role may change a feature's lifecycle, which reaches every environment of the project. */
export function canChangeLifecycle(role: Role, environments: readonly { production: boolean }[]): boolean {
  return hasRole(role, "editor") && environments.every((environment) => canChangeTargeting(role, environment));
}

/** Whether a role may change what users get in an environment. */
export function canChangeTargeting(role: Role, environment: { production: boolean }): boolean {
  return hasRole(role, environment.production ? "productionEditor" : "editor");
}
