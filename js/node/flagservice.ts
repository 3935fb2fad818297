// FlagService: the package's default export.

import { newAnonymousId } from "../shared/anonymous-id.js";
import { anonymousCookie, anonymousId } from "./anonymous-id.js";
import { createClient } from "./client.js";
import { readSettings } from "./config.js";
import { EVENTS } from "./events.js";
import type { Client, Config, FlagServiceStatic } from "./public.js";

/** See `FlagServiceStatic.init`. */
export function init(serverKey: string, config?: Config | null): Client {
  if (typeof serverKey !== "string" || !serverKey.trim()) {
    throw new TypeError("FlagService.init: serverKey must be a string, the server key of an environment (srv-…).");
  }
  return createClient(serverKey.trim(), readSettings(config));
}

export const FlagService: FlagServiceStatic = {
  // The keys that a caller lists are only types.
  init: init as FlagServiceStatic["init"],
  events: EVENTS,
  anonymousId,
  anonymousCookie,
  newAnonymousId,
};

export { anonymousCookie, anonymousId, newAnonymousId };
