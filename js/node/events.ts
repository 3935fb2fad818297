// The names of the events.
import type { Events } from "./public.js";

/** The event of each evaluation. */
export const EVALUATION = "EVALUATION";

/** FlagService.events. */
export const EVENTS: Events = Object.freeze({
  LOADED_FROM_CACHE: "LOADED_FROM_CACHE",
  INIT: "INIT",
  UPDATED_FEATURE: "UPDATED_FEATURE",
  ERROR: "ERROR",
  EVALUATION,
});
