// What the editor of a targeting needs besides the targeting: its feature and environment, audiences, known attributes.
import type { components } from "../../api/schema.js";
import type { AudienceNames } from "../../parts/changes/descriptions.js";
import { type AttributeChoice, attributeChoices } from "../../parts/conditions/operators.js";
import type { Draft } from "./draft/draft.js";

type Schemas = components["schemas"];
export type Feature = Schemas["Feature"];
export type Environment = Schemas["Environment"];
export type Audience = Schemas["Audience"];

export interface TargetingContext {
  project: string;
  feature: Feature;
  environment: Environment;
  /** The audiences that rules in this environment can use. */
  audiences: readonly Audience[];
  audienceNames: AudienceNames;
}

/** Attributes to suggest: those used in the rules and audiences, and the built-in ones. */
export function suggestedAttributes(draft: Draft, audiences: readonly Audience[]): AttributeChoice[] {
  return attributeChoices([
    ...draft.rules.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute)),
    ...audiences.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute)),
  ]);
}
