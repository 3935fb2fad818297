// The real analytics SDK with its own types: the namespace of its package, and an instance.
import * as amplitude from "@amplitude/analytics-browser";
import FlagService, { analyticsIntegration } from "flagservice-client";

const instance = amplitude.createInstance();
FlagService.init("js-key", {}, { integrations: [analyticsIntegration(amplitude), analyticsIntegration(instance)] });
