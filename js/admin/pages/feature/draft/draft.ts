// A targeting while it is edited: the values as typed. Each part has an id, which it keeps when it moves.
import type { components } from "../../../api/schema.js";
import { canonical, type Rule, type Targeting } from "../../../parts/changes/targeting.js";
import {
  type DraftCondition,
  newId,
  toCondition,
  toDraft as toDraftCondition,
} from "../../../parts/conditions/draft.js";
import { formatPercentage } from "../../../parts/feature/percentage.js";
import { variantForEveryone } from "../../../parts/feature/serve-everyone.js";
import { type DraftSplit, parsePercentage } from "../splits/percentage.js";

type Schemas = components["schemas"];
export type SavedTargeting = Schemas["TargetingView"];

export interface DraftRule {
  id: string;
  name: string;
  /** The conditions and the audience key are kept while another kind of audience is selected. */
  audience: "everyone" | "conditions" | "saved";
  audienceKey: string;
  conditions: DraftCondition[];
  splits: DraftSplit[];
}

export interface Draft {
  enabled: boolean;
  offVariantKey: string;
  rules: DraftRule[];
}

/** A rule that serves everyone `on`, or the first variant that isn't the off variant. */
export function newRule(variants: readonly string[], offVariant: string): DraftRule {
  const variantKey = variantForEveryone(variants, offVariant);
  const splits = [{ id: newId(), variantKey, percentage: "100" }];
  return { id: newId(), name: "", audience: "everyone", audienceKey: "", conditions: [], splits };
}

/** Whether it says so itself. A saved audience without conditions is for everyone too. */
export function isForEveryone({ audience, conditions }: DraftRule): boolean {
  return audience === "everyone" || (audience === "conditions" && conditions.length === 0);
}

function toDraftRule(rule: Rule): DraftRule {
  const conditions = rule.conditions ?? [];
  return {
    id: newId(),
    name: rule.name ?? "",
    audience: rule.audienceKey ? "saved" : conditions.length > 0 ? "conditions" : "everyone",
    audienceKey: rule.audienceKey ?? "",
    conditions: conditions.map(toDraftCondition),
    splits: rule.splits.map(({ variantKey, percentage }) => ({
      id: newId(),
      variantKey,
      percentage: formatPercentage(percentage),
    })),
  };
}

export function toDraft({ enabled, offVariantKey, rules }: Targeting): Draft {
  return { enabled, offVariantKey, rules: rules.map(toDraftRule) };
}

export function toRule({ name, audience, audienceKey, conditions, splits }: DraftRule): Rule {
  const shared = {
    name: name.trim(),
    splits: splits.map(({ variantKey, percentage }) => ({
      variantKey,
      percentage: (parsePercentage(percentage) ?? 0) / 1000,
    })),
  };
  if (audience === "saved") return { ...shared, audienceKey };
  const usedConditions = audience === "everyone" ? [] : conditions;
  return { ...shared, conditions: usedConditions.map(toCondition) };
}

/** The targeting for the server. */
export function toTargeting({ enabled, offVariantKey, rules }: Draft): Targeting {
  return { enabled, offVariantKey, rules: rules.map(toRule) };
}

export function sameTargeting(one: Targeting, other: Targeting): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}
