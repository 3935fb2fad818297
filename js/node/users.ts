// Snapshots of the application's users. A user is serialised at each evaluation, so changes made in place take effect.

import { newAnonymousId } from "../shared/anonymous-id.js";
import { attempt } from "../shared/attempt.js";
import { wellFormed } from "../shared/well-formed.js";
import type { CurrentUser, Logger, User } from "./public.js";

/** A user at one moment. */
export interface UserSnapshot {
  readonly id: string;
  /** The user as JSON, as the rules read it. */
  readonly json: string;
}

const WARNINGS = {
  user: 'The user is ignored: it must be an object, such as {id: "alice"}.',
  id: "user.id is ignored: it must be a non-empty string.",
  attributes: "user.attributes is ignored: it must be a flat object of strings, numbers, booleans and lists of them.",
};

/** Takes snapshots of users. */
export class Users {
  private readonly _anonymousIds = new WeakMap<object, string>();
  private readonly _warned = new Set<string>();
  private readonly _logger: Logger;

  constructor(logger: Logger) {
    this._logger = logger;
  }

  /** The user as they are now. Without an id they are anonymous, with the same id for the same object. */
  snapshot(user: User | null | undefined): UserSnapshot {
    if (typeof user !== "object" || user === null) {
      if (user != null) this._warnOnce(WARNINGS.user);
      return serialise(newAnonymousId());
    }
    let givenId: unknown;
    let attributes: unknown;
    try {
      ({ id: givenId, attributes } = user);
    } catch {
      // Treat getters that throw as missing.
    }
    const id = typeof givenId === "string" && givenId !== "" ? givenId : this._anonymousId(user, givenId);
    if (attributes == null) return serialise(id);
    // What JSON cannot represent is of the wrong type, too.
    const json = attempt(() => JSON.stringify(attributes));
    if (json?.startsWith("{")) return serialise(id, json);
    this._warnOnce(WARNINGS.attributes);
    return serialise(id);
  }

  private _anonymousId(user: User, givenId: unknown): string {
    if (givenId != null) this._warnOnce(WARNINGS.id);
    const id = this._anonymousIds.get(user) ?? newAnonymousId();
    this._anonymousIds.set(user, id);
    return id;
  }

  /** Logs each warning once: the same mistake usually repeats with every request. */
  private _warnOnce(warning: string): void {
    if (this._warned.has(warning)) return;
    this._warned.add(warning);
    this._logger.warn(warning);
  }
}

/** The user as listeners receive them. */
export function toPublicUser({ json }: UserSnapshot): CurrentUser {
  const user = JSON.parse(json) as CurrentUser;
  if (user.attributes) Object.freeze(user.attributes);
  return Object.freeze(user);
}

/** `attributes` is the JSON of an object. */
function serialise(id: string, attributes?: string): UserSnapshot {
  const member = attributes === undefined ? "" : `,"attributes":${attributes}`;
  return { id, json: wellFormed(`{"id":${JSON.stringify(id)}${member}}`) };
}
