// The id of a user whom nobody has named: `anonymous:` and 128 random bits, as 32 hexadecimal digits.

/** Key in local storage and name of the cookie that link an anonymous user to the server-side SDK. */
export const ANONYMOUS_ID = "flagservice-anonymous-id";

/** What the cookie has behind its value: for all of the site, and for a year. The browser's script reads it. */
export const COOKIE_ATTRIBUTES = "; Path=/; SameSite=Lax; Max-Age=31536000";

const PREFIX = "anonymous:";
const RANDOM_BYTES = 16;
const INTACT = /^anonymous:[0-9a-f]{32}$/;

/** Whether a stored id is whole; a damaged one is to be replaced. */
export function isIntact(stored: string | null | undefined): stored is string {
  return INTACT.test(stored ?? "");
}

/** A new id. */
export function newAnonymousId(): string {
  const bytes = new Uint8Array(RANDOM_BYTES);
  try {
    crypto.getRandomValues(bytes);
  } catch {
    // A host without `crypto`: still another value for everybody.
    bytes.forEach((_, place) => {
      bytes[place] = Math.random() * 256;
    });
  }
  return PREFIX + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
