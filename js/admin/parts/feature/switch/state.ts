// What turning a feature on or off in an environment needs to know.
import type { components } from "../../../api/schema.js";

type Schemas = components["schemas"];
export type FeatureState = Schemas["FeatureInEnvironment"];
export type SwitchedFeature = Pick<Schemas["Feature"], "key" | "name" | "variants" | "lifecycle">;
export type SwitchedEnvironment = Pick<Schemas["Environment"], "key" | "name" | "production">;

export interface SwitchTo {
  enabled: boolean;
  comment: string;
  /** What everyone gets, where there were no rules: by a new rule, or else the off variant. */
  everyone?: { variant: string; byRule: boolean };
}
