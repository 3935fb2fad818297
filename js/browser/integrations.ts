// The integrations that are told of exposures: the page's own handler, and an analytics instance built on it.
import type { AnalyticsInstance, AnalyticsOptions, Exposure, ExposureOptions, Integration } from "./public.js";

const PROPERTY_PREFIX = "flagservice_";

/** Calls a handler with each exposure. */
export function exposureIntegration<Key extends string = never>(
  handler: (exposure: Exposure) => void,
  options?: ExposureOptions<Key> | null,
): Integration<Key> {
  return { name: "exposureIntegration", source: handler, flags: options?.flags, expose: handler };
}

/** Sends each exposure through an analytics instance. */
export function analyticsIntegration<Key extends string = never>(
  instance: AnalyticsInstance,
  options?: AnalyticsOptions<Key> | null,
): Integration<Key> {
  const eventName = options?.eventName || "$exposure";
  const send = ({ key, variant }: Exposure): void => {
    instance.track(eventName, { flag_key: key, variant });
    if (options?.identify !== false) instance.identify?.(property(instance, PROPERTY_PREFIX + key, variant));
  };
  return { ...exposureIntegration(send, options), name: "analyticsIntegration", source: instance };
}

/** What the analytics SDK's identify takes: its own class, or what it reads of one. */
function property({ Identify }: AnalyticsInstance, name: string, value: string): unknown {
  if (Identify) return new Identify().set(name, value);
  return { getUserProperties: () => ({ $set: { [name]: value } }) };
}
