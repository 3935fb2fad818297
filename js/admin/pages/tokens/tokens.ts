// A personal access token without its secret, which nobody can read again.
import type { components } from "../../api/schema.js";

export type Token = components["schemas"]["AccessToken"];
export type Person = components["schemas"]["User"];

export const TOKENS = "/api/v1/tokens";
export const TOKEN = "/api/v1/tokens/{tokenId}";

export function hasExpired({ expiresAt }: Token): boolean {
  return expiresAt != null && Date.parse(expiresAt) <= Date.now();
}
