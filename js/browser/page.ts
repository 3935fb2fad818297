// Whether this runs in a page.

/**
 * Whether there is a page. Elsewhere a client makes no requests. A server that renders may define `window` or `document` with next to
 * nothing in them.
 */
export const isPage = !!globalThis.document?.visibilityState && !!globalThis.addEventListener && !!globalThis.location;
