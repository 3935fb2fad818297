// The package: default and named export are one object.
export { analyticsIntegration, exposureIntegration, FlagService, FlagService as default } from "../flagservice.js";
