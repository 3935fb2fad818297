import * as amplitude from "@amplitude/analytics-browser";
import FlagService, { analyticsIntegration, exposureIntegration } from "flagservice-client";

const { AMPLITUDE_API_KEY, AMPLITUDE_SERVER_URL, FLAGSERVICE_CLIENT_KEY, FLAGSERVICE_URL } = import.meta.env;

// The same id for both, so that exposures and later events belong to the same user.
const user = { id: "ada", attributes: { country: "SE", plan: "pro" } };

amplitude.init(AMPLITUDE_API_KEY, user.id, {
  serverUrl: AMPLITUDE_SERVER_URL,
  // This page sends only exposures and purchases.
  autocapture: false,
  remoteConfig: { fetchRemoteConfig: false },
});

/** Starts the client. `onExposure` also gets each exposure. */
export function startFlags(onExposure) {
  return FlagService.init(FLAGSERVICE_CLIENT_KEY, user, {
    baseUrl: FLAGSERVICE_URL,
    integrations: [analyticsIntegration(amplitude), exposureIntegration(onExposure)],
  });
}
