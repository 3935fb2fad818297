// The users of an application, as the rules read them: written as JSON at each evaluation, so that a user who is changed in
// place counts as he is.

import { newAnonymousId } from "../shared/anonymous-id.js";
import { wellFormed } from "../shared/well-formed.js";
import type { CurrentUser, Logger, User } from "./public.js";

/** A user as he is at one moment. */
export interface KnownUser {
  readonly id: string;
  /** The user as JSON: what enters the rules. */
  readonly text: string;
}

const REMEDIES = {
  user: 'The user is ignored: it has to be an object, such as {id: "alice"}.',
  id: "user.id is ignored: it has to be a string that is not empty.",
  attributes: "user.attributes is ignored: it has to be a flat object of strings, numbers, booleans and lists of them.",
};

/** Reads users. */
export class Users {
  private readonly _anonymous = new WeakMap<object, string>();
  private readonly _said = new Set<string>();
  private readonly _logger: Logger;

  constructor(logger: Logger) {
    this._logger = logger;
  }

  /** The user as he is now. Without an id: an anonymous one, the same for the same object. */
  known(user: User | null | undefined): KnownUser {
    if (typeof user !== "object" || user === null) {
      if (user != null) this._say(REMEDIES.user);
      return written(newAnonymousId(), undefined);
    }
    let id: unknown;
    let attributes: unknown;
    try {
      ({ id, attributes } = user);
    } catch {
      // Members that throw are none.
    }
    const known = typeof id === "string" && id !== "" ? id : this._anonymousId(user, id);
    if (attributes == null) return written(known, undefined);
    if (typeof attributes === "object" && !Array.isArray(attributes)) {
      try {
        return written(known, attributes);
      } catch {
        // What JSON cannot write is reported like attributes of the wrong type.
      }
    }
    this._say(REMEDIES.attributes);
    return written(known, undefined);
  }

  private _anonymousId(user: User, given: unknown): string {
    if (given != null) this._say(REMEDIES.id);
    const known = this._anonymous.get(user) ?? newAnonymousId();
    this._anonymous.set(user, known);
    return known;
  }

  /** Once: the same mistake is made with every request. */
  private _say(remedy: string): void {
    if (this._said.has(remedy)) return;
    this._said.add(remedy);
    this._logger.warn(remedy);
  }
}

/** The user as a listener gets him. */
export function shown({ text }: KnownUser): CurrentUser {
  const user = JSON.parse(text) as CurrentUser;
  if (user.attributes) Object.freeze(user.attributes);
  return Object.freeze(user);
}

function written(id: string, attributes: unknown): KnownUser {
  return { id, text: wellFormed(JSON.stringify({ id, attributes })) };
}
