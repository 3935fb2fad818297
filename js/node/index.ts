// The package: one module for both kinds, so that importing and requiring it give the same objects.
export {
  anonymousCookie,
  anonymousId,
  FlagService,
  FlagService as default,
  init,
  newAnonymousId,
} from "./flagservice.js";
