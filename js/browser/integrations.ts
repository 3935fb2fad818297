// The integrations that get exposures: a handler of the page, and an analytics instance.
import type { AnalyticsInstance, AnalyticsOptions, Exposure, ExposureOptions, Integration } from "./public.js";

const PROPERTY_PREFIX = "flagservice_";

/** Calls a handler for each exposure. */
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

/** The argument of the analytics SDK's identify: an instance of its class, or an object with the one method that it calls. */
function property({ Identify }: AnalyticsInstance, name: string, value: string): unknown {
  if (Identify) return new Identify().set(name, value);
  return { getUserProperties: () => ({ $set: { [name]: value } }) };
}
