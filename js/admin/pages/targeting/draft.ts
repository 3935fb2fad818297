// A targeting in the making: everything as it was typed, each part with an identity that survives being moved.
import type { components } from "../../api/schema.js";
import { type DraftCondition, toDraft as draftCondition, newId, toCondition } from "../../parts/conditions/draft.js";
import { type DraftSplit, draftPercentage, parsePercentage } from "./percentage.js";

type Schemas = components["schemas"];
export type Targeting = Pick<Schemas["TargetingView"], "enabled" | "offVariantKey" | "rules">;
export type Saved = Schemas["TargetingView"];
export type Rule = Schemas["Rule"];
export interface DraftRule {
  id: string;
  name: string;
  /** What was chosen; conditions that were typed stay when another choice is tried. */
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

/** Everyone gets the first variant that is not the off variant. */
export function newRule(variants: readonly string[], offVariant: string): DraftRule {
  const variantKey = variants.find((variant) => variant !== offVariant) ?? offVariant;
  const splits = [{ id: newId(), variantKey, percentage: "100" }];
  return { id: newId(), name: "", audience: "everyone", audienceKey: "", conditions: [], splits };
}

function draftRule(rule: Rule): DraftRule {
  const conditions = rule.conditions ?? [];
  return {
    id: newId(),
    name: rule.name ?? "",
    audience: rule.audienceKey ? "saved" : conditions.length > 0 ? "conditions" : "everyone",
    audienceKey: rule.audienceKey ?? "",
    conditions: conditions.map(draftCondition),
    splits: rule.splits.map(({ variantKey, percentage }) => ({
      id: newId(),
      variantKey,
      percentage: draftPercentage(percentage),
    })),
  };
}

export function toDraft({ enabled, offVariantKey, rules }: Targeting): Draft {
  return { enabled, offVariantKey, rules: rules.map(draftRule) };
}

function toRule({ name, audience, audienceKey, conditions, splits }: DraftRule): Rule {
  const shared = {
    name: name.trim(),
    splits: splits.map(({ variantKey, percentage }) => ({
      variantKey,
      percentage: (parsePercentage(percentage) ?? 0) / 1000,
    })),
  };
  if (audience === "saved") return { ...shared, audienceKey };
  const written = audience === "everyone" ? [] : conditions;
  return { ...shared, conditions: written.map(toCondition) };
}

/** As the server takes it. */
export function toTargeting({ enabled, offVariantKey, rules }: Draft): Targeting {
  return { enabled, offVariantKey, rules: rules.map(toRule) };
}

/** The same targeting in the one form that two of them are compared in. */
export function canonical(targeting: Targeting): Targeting {
  return toTargeting(toDraft(targeting));
}

export function sameTargeting(one: Targeting, other: Targeting): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

/** The list with the item at `from` standing at `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const item = list[from];
  return item === undefined ? [...list] : [...rest.slice(0, to), item, ...rest.slice(to)];
}
