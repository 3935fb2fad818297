// The public types of flagservice-client's files for a script tag, as they are published: they define a global.
import type { FlagServiceStatic } from "./public.js";

declare global {
  /** The browser client of Flag Service, defined by the script tag. */
  var FlagService: FlagServiceStatic;
}
