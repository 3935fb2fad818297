// The integrations that get exposures, recorded for the core.
import type { AnalyticsInstance, AnalyticsOptions, Exposure, ExposureOptions, Integration } from "./public.js";

/** Calls a handler for each exposure. */
export function exposureIntegration<Key extends string = never>(
  handler: (exposure: Exposure) => void,
  options?: ExposureOptions<Key> | null,
): Integration<Key> {
  return { name: "exposureIntegration", source: handler, options: { ...options } };
}

/** Sends each exposure through an analytics instance. */
export function analyticsIntegration<Key extends string = never>(
  instance: AnalyticsInstance,
  options?: AnalyticsOptions<Key> | null,
): Integration<Key> {
  return { name: "analyticsIntegration", source: instance, options: { ...options } };
}
