// The FlagService object.

import { entryName } from "./cache.js";
import { createClient } from "./client.js";
import { checkedSettings } from "./config.js";
import type { CoreSource } from "./core.js";
import { EVENTS } from "./events.js";
import { analyticsIntegration, exposureIntegration } from "./integrations.js";
import { isPage } from "./page.js";
import type { Client, FlagServiceStatic } from "./public.js";

/** Creates FlagService with cores from the given source. */
export function flagService(source: CoreSource): FlagServiceStatic {
  const init = (apiKey: string, user?: unknown, config?: unknown): Client => {
    if (typeof apiKey !== "string" || !apiKey.trim()) {
      throw new TypeError("FlagService.init: apiKey must be a client key (a non-empty string).");
    }
    const [client, host] = createClient(source, apiKey, user, checkedSettings(config));
    host._start();
    return client;
  };
  const service: FlagServiceStatic = {
    // The keys that a caller lists are only types.
    init: init as FlagServiceStatic["init"],
    events: EVENTS,
    analyticsIntegration,
    exposureIntegration,
  };
  // Engines compile functions at their first call: do that while the script loads rather than when the page calls init.
  if (isPage) {
    const settings = checkedSettings({ offline: true, defaultFeatures: { "-": "on" } });
    const [client] = createClient(source, "-", { id: "-" }, settings);
    client.evaluate(entryName("-", "-", undefined)).isOn();
    client.close();
  }
  return service;
}
