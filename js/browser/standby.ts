// Answers without a core: until it is there, where none can be had, and after it has failed. From what the page and the
// last visit know.

import { type Features, toObject } from "../shared/features.js";
import type { Core } from "./core.js";

/** What a core would have been asked to do. */
export type Act = (core: Core) => void;

/** A core that answers, and can load nothing and send no goals: `note` hears of what a core is to be told later. */
export function standby(defaults: Features, note: (act: Act) => void, returned: () => void): Core {
  let known: Features | undefined;

  return {
    enter(user) {
      known = user.bootstrap ?? user.cached;
      note((core) => core.enter(user));
    },
    returned,
    value: (key) => known?.get(key) ?? defaults.get(key) ?? "off",
    features: (all) => ({ ...(all && toObject(defaults)), ...toObject(known ?? defaults) }),
    goal: (key) => note((core) => core.goal(key)),
    close() {},
  };
}
