// Whether this runs in a page.

declare global {
  /** Whether this is a build that also servers use. A page downloads nothing of what only they need. The build defines it. */
  const OUTSIDE_PAGES: boolean;
}

/**
 * Whether there is a page. Elsewhere a client makes no requests. A server that renders may define `window` or `document` with next to
 * nothing in them.
 */
export const isPage = !!globalThis.document?.visibilityState && !!globalThis.addEventListener && !!globalThis.location;
