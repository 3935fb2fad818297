// What each role allows. The server checks it too: the pages only hide what it would refuse.
import type { Role } from "./api/session.js";

const NAMES: Record<Role, string> = {
  administrator: "Administrator",
  productionEditor: "Production editor",
  editor: "Editor",
  readOnly: "Read-only",
};
const ASCENDING: readonly Role[] = ["readOnly", "editor", "productionEditor", "administrator"];

export function roleName(role: Role): string {
  return NAMES[role];
}

/** Whether `role` is `required` or a higher role, which includes its rights. */
export function hasRole(role: Role, required: Role): boolean {
  return ASCENDING.indexOf(role) >= ASCENDING.indexOf(required);
}

/** Whether a role can change a feature's lifecycle, which affects all environments of the project. */
export function canChangeLifecycle(role: Role, environments: readonly { production: boolean }[]): boolean {
  return hasRole(role, "editor") && environments.every((environment) => canChangeTargeting(role, environment));
}

export function canChangeTargeting(role: Role, environment: { production: boolean }): boolean {
  return hasRole(role, environment.production ? "productionEditor" : "editor");
}
