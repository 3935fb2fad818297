// What turning a feature on or off in an environment needs to know.
import type { components } from "../../../api/schema.js";

type Schemas = components["schemas"];
export type FeatureState = Schemas["FeatureInEnvironment"];
export type SwitchedFeature = Pick<Schemas["Feature"], "key" | "name" | "variants" | "lifecycle">;
export type SwitchedEnvironment = Pick<Schemas["Environment"], "key" | "name" | "production">;
