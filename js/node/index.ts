// The package. ES modules and CommonJS share one module, so that both see the same objects.
export {
  anonymousCookie,
  anonymousId,
  FlagService,
  FlagService as default,
  init,
  newAnonymousId,
} from "./flagservice.js";
