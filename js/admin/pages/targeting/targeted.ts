// What an editor of targeting has to know beside the targeting itself: variants, audiences, attributes in use.
import type { components } from "../../api/schema.js";
import { type AttributeChoice, attributeChoices } from "../../parts/conditions/operators.js";
import type { Draft } from "./draft.js";
import type { AudienceNames } from "./words.js";

type Schemas = components["schemas"];
export type Feature = Schemas["Feature"];
export type Environment = Schemas["Environment"];
export type Audience = Schemas["Audience"];

export interface Targeted {
  project: string;
  feature: Feature;
  environment: Environment;
  /** Those that rules here may name. */
  audiences: readonly Audience[];
  audienceNames: AudienceNames;
}

/** Those that rules and audiences speak of, and the built-in ones. */
export function attributesOf(draft: Draft, audiences: readonly Audience[]): AttributeChoice[] {
  const own = [
    ...draft.rules.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute)),
    ...audiences.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute)),
  ];
  return attributeChoices(own);
}
