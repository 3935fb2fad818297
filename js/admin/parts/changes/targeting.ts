// A targeting, and the form in which two of them are compared.
import type { components } from "../../api/schema.js";
import { toCondition, toDraft } from "../conditions/draft.js";

type Schemas = components["schemas"];
export type Targeting = Pick<Schemas["TargetingView"], "enabled" | "offVariantKey" | "rules">;
export type Rule = Schemas["Rule"];

/** What two targetings have in common if they do the same: only what is used, and percentages in whole thousandths. */
export function canonical({ enabled, offVariantKey, rules }: Targeting): Targeting {
  return { enabled, offVariantKey, rules: rules.map(canonicalRule) };
}

function canonicalRule({ name, audienceKey, conditions, splits }: Rule): Rule {
  const shared = {
    name: (name ?? "").trim(),
    splits: splits.map(({ variantKey, percentage }) => ({
      variantKey,
      percentage: Math.round(percentage * 1000) / 1000,
    })),
  };
  if (audienceKey) return { ...shared, audienceKey };
  return { ...shared, conditions: (conditions ?? []).map((condition) => toCondition(toDraft(condition))) };
}
