// What an editor of targeting has to know beside the targeting itself: variants, audiences, attributes in use.
import type { components } from "../../api/schema.js";
import { BUILT_IN } from "./conditions.js";
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

export interface AttributeChoice {
  key: string;
  label: string;
  detail?: string;
}

/** Those that rules and audiences speak of, and the built-in ones. */
export function attributesOf(draft: Draft, audiences: readonly Audience[]): AttributeChoice[] {
  const own = [
    ...draft.rules.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute)),
    ...audiences.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute)),
  ].filter((name) => name !== "" && !(name in BUILT_IN));
  return [
    ...[...new Set(own)].sort().map((key) => ({ key, label: key })),
    ...Object.entries(BUILT_IN).map(([key, { detail }]) => ({ key, label: key, detail })),
  ];
}
