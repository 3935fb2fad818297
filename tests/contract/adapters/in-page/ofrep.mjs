// In the page: OpenFeature's web SDK with OpenFeature's own OFREP provider.
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { driveProvider } from "./provider.mjs";

export function create(options, emit) {
  const { baseUrl, key } = options;
  const headers = [["Authorization", `Bearer ${key}`]];
  return driveProvider(new OFREPWebProvider({ baseUrl, headers, pollInterval: 200 }), options, emit);
}
