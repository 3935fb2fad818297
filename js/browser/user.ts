// The user that the page names, in the form in which it crosses to the core.
import { wellFormed } from "../shared/well-formed.js";
import type { Attributes, CurrentUser, Logger, User } from "./public.js";

/** An id, unless the user is anonymous, and the canonical JSON text of the attributes. */
export interface NamedUser {
  readonly id: string | undefined;
  readonly attributes: string | undefined;
}

const REMEDIES = {
  user: 'The user is ignored: it has to be an object, such as {id: "alice"}.',
  id: "user.id is ignored: it has to be a string that is not empty.",
  attributes: "user.attributes is ignored: it has to be a flat object of strings, numbers, booleans and lists of them.",
};

/** Reads a user that was given to `init` or `updateUser`. What cannot be used is reported and left out. */
export function named(given: unknown, logger: Logger): NamedUser {
  /** A member of the user, as `read` makes it; none where that throws. */
  const member = (name: keyof User, read: (value: unknown) => string | undefined): string | undefined => {
    try {
      const value = (given as User)[name] ?? undefined;
      const text = value === undefined ? undefined : read(value);
      if (text || value === undefined) return text;
    } catch {
      // Reported like one of the wrong type.
    }
    logger.warn(REMEDIES[name]);
    return undefined;
  };
  if (given == null) return { id: undefined, attributes: undefined };
  if (typeof given !== "object") logger.warn(REMEDIES.user);
  return {
    id: member("id", (id) => (typeof id === "string" ? id : undefined)),
    attributes: member("attributes", (attributes) => {
      if (typeof attributes !== "object" || Array.isArray(attributes)) return undefined;
      // Sorted keys: equal users have equal texts.
      return wellFormed(JSON.stringify(attributes, Object.keys(attributes as object).sort()));
    }),
  };
}

/** The user as `getUser` shows it. */
export function current(id: string, attributes: string | undefined): CurrentUser {
  return Object.freeze(attributes ? { id, attributes: Object.freeze(JSON.parse(attributes) as Attributes) } : { id });
}
