// In the page: OpenFeature's web SDK with flagservice-openfeature-web.
import { exposureIntegration } from "flagservice-client";
import { FlagServiceWebProvider } from "flagservice-openfeature-web";
import { configOf } from "./client.mjs";
import { driveProvider } from "./provider.mjs";

export function create(options, emit) {
  const config = configOf({ exposureIntegration }, options, emit);
  return driveProvider(new FlagServiceWebProvider(options.key, config), options, emit);
}
