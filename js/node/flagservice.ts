// FlagService: the object that an application has.

import { newAnonymousId } from "../shared/anonymous-id.js";
import { anonymousCookie, anonymousId } from "./anonymous-id.js";
import { createClient } from "./client.js";
import { checked } from "./config.js";
import { EVENTS } from "./events.js";
import type { Client, Config, FlagServiceStatic } from "./public.js";

/** As the method `FlagService.init`. */
export function init(serverKey: string, config?: Config | null): Client {
  if (typeof serverKey !== "string" || !serverKey.trim()) {
    throw new TypeError("FlagService.init: serverKey has to be a server key of the environment (srv-…), a string.");
  }
  return createClient(serverKey.trim(), checked(config));
}

export const FlagService: FlagServiceStatic = {
  init,
  events: EVENTS,
  anonymousId,
  anonymousCookie,
  newAnonymousId,
};

export { anonymousCookie, anonymousId, newAnonymousId };
