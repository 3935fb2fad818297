// FlagService: the object that the page has.

import { entryName } from "./cache.js";
import { createClient, isPage } from "./client.js";
import { checked } from "./config.js";
import type { CoreSource } from "./core.js";
import { EVENTS } from "./events.js";
import { analyticsIntegration, exposureIntegration } from "./integrations.js";
import type { FlagServiceStatic } from "./public.js";

/** FlagService over cores of a source. */
export function flagService(source: CoreSource): FlagServiceStatic {
  const service: FlagServiceStatic = {
    init(apiKey, user, config) {
      if (typeof apiKey !== "string" || !apiKey.trim()) {
        throw new TypeError(
          "FlagService.init: apiKey has to be the JavaScript client key of an environment, a string.",
        );
      }
      return createClient(source, apiKey, user, checked(config));
    },
    events: EVENTS,
    analyticsIntegration,
    exposureIntegration,
  };
  // Engines compile what is called: here it is called while the script loads, and not first when the page calls init.
  if (isPage) {
    const client = service.init("-", { id: "-" }, { offline: true, defaultFeatures: { "-": "on" } });
    client.evaluate(entryName("-", "-", undefined)).isOn();
    client.close();
  }
  return service;
}
