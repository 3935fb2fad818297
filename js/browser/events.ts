// The names of the events.
import type { Events } from "./public.js";

/** Dispatched for each evaluation. */
export const EVALUATION = "EVALUATION";

/** The names, as FlagService.events. */
export const EVENTS: Events = Object.freeze({
  LOADED_FROM_CACHE: "LOADED_FROM_CACHE",
  INIT: "INIT",
  LOADED: "LOADED",
  UPDATED_FEATURE: "UPDATED_FEATURE",
  ERROR: "ERROR",
  EVALUATION,
});
