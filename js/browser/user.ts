// Checks the user that the page passes.
import { isMap } from "../shared/features.js";
import { wellFormed } from "../shared/well-formed.js";
import type { Attributes, CurrentUser, Logger, User } from "./public.js";

/** An id, unless the user is anonymous, and the JSON of the attributes with sorted keys. */
export interface CheckedUser {
  readonly id: string | undefined;
  readonly attributes: string | undefined;
}

const WARNINGS = {
  user: 'The user is ignored: it must be an object such as {id: "alice"}.',
  id: "user.id is ignored: it must be a non-empty string.",
  attributes: "user.attributes is ignored: it must be a flat object of strings, numbers, booleans and lists of them.",
};

/** Checks a user that was passed to `init` or `updateUser`. What is invalid is reported and ignored. */
export function checkedUser(given: unknown, logger: Logger): CheckedUser {
  const user = given ?? {};
  /** A member of the user, converted by `read`; `undefined` if it is missing, invalid, or throws. */
  const member = (name: keyof User, read: (value: unknown) => string | undefined): string | undefined => {
    try {
      const value = (user as User)[name];
      if (value == null) return undefined;
      const text = read(value);
      if (text) return text;
    } catch {
      // Reported like one of the wrong type.
    }
    logger.warn(WARNINGS[name]);
    return undefined;
  };
  if (typeof user !== "object") logger.warn(WARNINGS.user);
  return {
    id: member("id", (id) => (typeof id === "string" ? id : undefined)),
    attributes: member("attributes", (attributes) => {
      // What is sent of them: an object may have a `toJSON`.
      const plain: unknown = JSON.parse(JSON.stringify(attributes));
      // Sorted keys: equal users have equal texts.
      return isMap(plain) ? wellFormed(JSON.stringify(plain, Object.keys(plain).sort())) : undefined;
    }),
  };
}

/** The user as `getUser` returns them. */
export function publicUser(id: string, attributes: string | undefined): CurrentUser {
  return Object.freeze(attributes ? { id, attributes: Object.freeze(JSON.parse(attributes) as Attributes) } : { id });
}
