// The anonymous id in a page: where it is stored, and the cookie that passes it to the server.

import { ANONYMOUS_ID, COOKIE_ATTRIBUTES, idOfCookies, isIntact, newAnonymousId } from "../shared/anonymous-id.js";
import { attempt } from "../shared/attempt.js";
import type { Settings } from "./config.js";
import * as storage from "./storage.js";

/** The id that clients which are not live share, and that of live ones where local storage does not hold it. */
const pageIds: string[] = [];

/** The id from local storage, else that of the page or the cookie, else a new one. It is not stored. */
export function anonymousId({ live, useCookies }: Settings): string {
  const stored = live && storage.get(ANONYMOUS_ID);
  if (isIntact(stored)) return stored;
  pageIds[+live] ??= (useCookies && attempt(() => idOfCookies(document.cookie))) || newAnonymousId();
  return pageIds[+live] as string;
}

/** Replaces the id by a new one, and links that if the old one is the current user's. */
export function renewAnonymousId(settings: Settings, currentUserId: string): string {
  const inUse = currentUserId === anonymousId(settings);
  const id = store(newAnonymousId(), settings);
  if (inUse) link(id, settings);
  return id;
}

/** Links the id to the server-side SDK: sets the cookie for a year. */
export function link(id: string, { useCookies }: Settings): void {
  if (!useCookies) return;
  // Where cookies are blocked, such as in a sandboxed frame, the id is not linked.
  attempt(() => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and not in every browser.
    document.cookie = `${ANONYMOUS_ID}=${id}${COOKIE_ATTRIBUTES}${secure}`;
  });
}

/** Stores the id in local storage, if the client is live. */
export function store(id: string, { live }: Settings): string {
  pageIds[+live] = id;
  if (live) storage.set(ANONYMOUS_ID, id);
  return id;
}
