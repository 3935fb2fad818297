// FlagService: the object that the page has.

import { createClient } from "./client.js";
import { checked } from "./config.js";
import { EVENTS } from "./events.js";
import { analyticsIntegration, exposureIntegration } from "./integrations.js";
import type { FlagServiceStatic } from "./public.js";

export { analyticsIntegration, exposureIntegration };

export const FlagService: FlagServiceStatic = {
  init(apiKey, user, config) {
    if (typeof apiKey !== "string" || !apiKey.trim()) {
      throw new TypeError("FlagService.init: apiKey has to be the JavaScript client key of an environment, a string.");
    }
    return createClient(apiKey, user, checked(config));
  },
  events: EVENTS,
  analyticsIntegration,
  exposureIntegration,
};
