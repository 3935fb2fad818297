// Anonymous ids on the server: read from a request's cookie or set for a new visitor, so that server and browser agree.

import { ANONYMOUS_ID, COOKIE_ATTRIBUTES, idOfCookies, isIntact } from "../shared/anonymous-id.js";
import { attempt } from "../shared/attempt.js";
import type { CookieOptions, CookieSource } from "./public.js";

/** See `FlagServiceStatic.anonymousId`. */
export function anonymousId(source: CookieSource): string | undefined {
  // Cookies that cannot be read are missing.
  return attempt(() => idOfCookies(cookieHeader(source)));
}

/** See `FlagServiceStatic.anonymousCookie`. */
export function anonymousCookie(id: string, options?: CookieOptions): string {
  if (typeof id !== "string" || !isIntact(id)) {
    throw new TypeError("FlagService.anonymousCookie: id must come from newAnonymousId() or anonymousId().");
  }
  return `${ANONYMOUS_ID}=${id}${COOKIE_ATTRIBUTES}${options?.secure ? "; Secure" : ""}`;
}

function cookieHeader(source: CookieSource): string {
  if (typeof source === "string") return source;
  const headers = source?.headers as Headers & { cookie?: string };
  const header = typeof headers?.get === "function" ? headers.get("cookie") : headers?.cookie;
  return typeof header === "string" ? header : "";
}
