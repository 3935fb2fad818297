// The id of an anonymous user: `anonymous:` and 128 random bits as 32 hexadecimal digits.

/** Key in local storage, and name of the cookie that links an anonymous user to the server-side SDK. */
export const ANONYMOUS_ID = "flagservice-anonymous-id";

/** Attributes of the cookie: for the whole site and one year. Not HttpOnly, because the browser client reads it. */
export const COOKIE_ATTRIBUTES = "; Path=/; SameSite=Lax; Max-Age=31536000";

const PREFIX = "anonymous:";
const RANDOM_BYTES = 16;
const INTACT = /^anonymous:[0-9a-f]{32}$/;
/** The cookie with an intact id. Some frameworks quote the value, or encode the colon. */
const COOKIE = /(^|;)\s*flagservice-anonymous-id=("?)anonymous(:|%3[Aa])([0-9a-f]{32})\2\s*(;|$)/;

/** Whether a stored id is valid. A damaged one has to be replaced. */
export function isIntact(stored: string | false | null | undefined): stored is string {
  // Of anything else it tests a text such as "undefined".
  return INTACT.test(stored as string);
}

/** The first intact id in the cookies of a page or of a request; `undefined` if there is none. */
export function idOfCookies(cookies: string): string | undefined {
  const hex = COOKIE.exec(cookies)?.[4];
  return hex && PREFIX + hex;
}

/** A new id. */
export const newAnonymousId = (): string => PREFIX + newRandomId();

/** 128 random bits as 32 hexadecimal digits. */
export function newRandomId(): string {
  const bytes = new Uint8Array(RANDOM_BYTES);
  try {
    crypto.getRandomValues(bytes);
  } catch {
    // Without `crypto`: not cryptographically secure, but still unique enough.
    bytes.forEach((_, index) => {
      bytes[index] = Math.random() * 256;
    });
  }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
