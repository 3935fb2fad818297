// The anonymous id on the server: read from a request's cookie, and told to a new visitor, so that server and browser agree.

import { ANONYMOUS_ID, COOKIE_ATTRIBUTES, isIntact } from "../shared/anonymous-id.js";
import type { CookieOptions, CookieSource } from "./public.js";

/** As `FlagService.anonymousId`. */
export function anonymousId(source: CookieSource): string | undefined {
  try {
    for (const cookie of cookies(source).split(";")) {
      const [name, value = ""] = cookie.split("=", 2) as [string, string?];
      if (name.trim() !== ANONYMOUS_ID) continue;
      const id = decoded(value.trim().replace(/^"(.*)"$/, "$1"));
      if (isIntact(id)) return id;
    }
  } catch {
    // What has no readable cookies has none.
  }
  return undefined;
}

/** As `FlagService.anonymousCookie`. */
export function anonymousCookie(id: string, options?: CookieOptions): string {
  return `${ANONYMOUS_ID}=${id}${COOKIE_ATTRIBUTES}${options?.secure ? "; Secure" : ""}`;
}

function cookies(source: CookieSource): string {
  if (typeof source === "string") return source;
  const headers = source?.headers as Headers & { cookie?: string };
  const text = typeof headers?.get === "function" ? headers.get("cookie") : headers?.cookie;
  return typeof text === "string" ? text : "";
}

/** Some frameworks write the colon as `%3A`. */
function decoded(value: string): string {
  return value.includes("%") ? decodeURIComponent(value) : value;
}
