// The anonymous id in a page: where it is kept, and the cookie that tells it to the server.

import { ANONYMOUS_ID, COOKIE_ATTRIBUTES, isIntact, newAnonymousId } from "../shared/anonymous-id.js";
import * as storage from "./storage.js";

const COOKIE = `${ANONYMOUS_ID}=`;

/** The id in use where local storage keeps none. One for the page, so that its clients agree. */
let ofPage: string | undefined;

/** What a client may use of the page. */
export interface Places {
  /** Local storage. */
  readonly stores: boolean;
  /** The cookie. */
  readonly cookies: boolean;
}

/** The id as stored in local storage, else as the page or the cookie has it, else a new one, which then is stored. */
export function anonymousId({ stores, cookies }: Places): string {
  const stored = stores ? storage.get(ANONYMOUS_ID) : undefined;
  if (isIntact(stored)) return stored;
  const kept = ofPage ?? (cookies ? linked() : undefined);
  return keep(isIntact(kept) ? kept : newAnonymousId(), stores);
}

/** A new id in the place of the stored one. */
export function renewAnonymousId({ stores }: Places): string {
  return keep(newAnonymousId(), stores);
}

/** Links the id to the server-side SDK: sets the cookie for a year. */
export function link(id: string, { cookies }: Places): void {
  if (!cookies) return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and not in every browser.
    document.cookie = COOKIE + id + COOKIE_ATTRIBUTES + secure;
  } catch {
    // A document that may have no cookies (a sandboxed frame) goes without the link.
  }
}

function linked(): string | undefined {
  try {
    const cookie = document.cookie.split("; ").find((cookie) => cookie.startsWith(COOKIE));
    return cookie?.slice(COOKIE.length);
  } catch {
    return undefined;
  }
}

function keep(id: string, stores: boolean): string {
  if (stores) storage.set(ANONYMOUS_ID, id);
  ofPage = id;
  return id;
}
