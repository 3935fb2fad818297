// Whether this runs in a page.

/** Whether there is a page. Elsewhere a client makes no requests. */
export const isPage = typeof window !== "undefined" && typeof document !== "undefined";
