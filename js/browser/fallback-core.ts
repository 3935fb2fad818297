// The core without Rust: it answers before the real core runs, where none can be loaded, and after it has failed.

import { type Features, toObject } from "../shared/features.js";
import type { Core } from "./core.js";

/** A call to the client that waits for the real core. */
export type QueuedCall = (core: Core) => void;

/**
 * A core that answers from bootstrap or cache, and from the defaults. It loads nothing and sends no goals: `enqueue` gets the
 * calls for the real core.
 */
export function fallbackCore(defaults: Features, enqueue: (call: QueuedCall) => void, callerSettled: () => void): Core {
  let known: Features | undefined;

  return {
    _setUser(user) {
      known = user.bootstrap ?? user.cached;
      enqueue((core) => core._setUser(user));
    },
    _callerSettled: callerSettled,
    _value: (key) => known?.get(key) ?? defaults.get(key) ?? "off",
    _features: (all) => ({ ...(all && toObject(defaults)), ...toObject(known ?? defaults) }),
    _goal: (key) => enqueue((core) => core._goal(key)),
    _close() {},
  };
}
