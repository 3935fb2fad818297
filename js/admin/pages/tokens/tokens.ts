// A personal access token without its secret, which nobody can read again.
import type { components } from "../../api/schema.js";

export type Token = components["schemas"]["AccessToken"];
export type TokenScope = components["schemas"]["TokenScope"];
export type Person = components["schemas"]["User"];

export const TOKENS = "/api/v1/tokens";
export const TOKEN = "/api/v1/tokens/{tokenId}";

export const DAY_MS = 86_400_000;

/** How long before its expiry a token is marked. */
const EXPIRES_SOON_MS = 30 * DAY_MS;

export function hasExpired({ expiresAt }: Token): boolean {
  return expiresAt != null && Date.parse(expiresAt) <= Date.now();
}

export function expiresSoon({ expiresAt }: Token): boolean {
  return expiresAt != null && Date.parse(expiresAt) - Date.now() <= EXPIRES_SOON_MS;
}
