// The user that the page names, in the form in which it crosses to the core.
import type { Attributes, CurrentUser, Logger, User } from "./public.js";

/** An id, unless the user is anonymous, and the canonical JSON text of the attributes. */
export interface NamedUser {
  readonly id: string | undefined;
  readonly attributes: string | undefined;
}

/** Reads a user that was given to `init` or `updateUser`. What cannot be used is reported and left out. */
export function named(given: unknown, logger: Logger): NamedUser {
  const user = (given ?? {}) as User;
  if (typeof user !== "object") {
    logger.warn('The user is ignored: it has to be an object, such as {id: "alice"}.');
    return { id: undefined, attributes: undefined };
  }
  let { id } = user;
  if (id != null && (typeof id !== "string" || !id)) {
    logger.warn("user.id is ignored: it has to be a string that is not empty.");
    id = undefined;
  }
  return { id: id ?? undefined, attributes: attributesOf(user, logger) };
}

/** The user as `getUser` shows it. */
export function current(id: string, attributes: string | undefined): CurrentUser {
  return Object.freeze(attributes ? { id, attributes: Object.freeze(JSON.parse(attributes) as Attributes) } : { id });
}

function attributesOf({ attributes }: User, logger: Logger): string | undefined {
  if (attributes == null) return undefined;
  try {
    // Sorted keys: equal users have equal texts.
    if (typeof attributes === "object" && !Array.isArray(attributes)) {
      return JSON.stringify(attributes, Object.keys(attributes).sort());
    }
  } catch {
    // Not JSON: a circle, or a BigInt.
  }
  logger.warn(
    "user.attributes is ignored: it has to be a flat object of strings, numbers, booleans and lists of them.",
  );
  return undefined;
}
