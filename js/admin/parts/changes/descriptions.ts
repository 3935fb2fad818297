// A targeting as text: its audiences, its splits, and all of it line by line.
import { describeCondition } from "../conditions/description.js";
import { formatPercentage } from "../feature/percentage.js";
import type { Rule, Targeting } from "./targeting.js";

/** Names of saved audiences by key. */
export type AudienceNames = ReadonlyMap<string, string>;

export function describeAudience(rule: Rule, audiences: AudienceNames): string {
  if (rule.audienceKey) return audiences.get(rule.audienceKey) ?? rule.audienceKey;
  return (rule.conditions ?? []).map(describeCondition).join(" and ") || "everyone";
}

/** `on 20%, off 80%` */
export function describeSplit({ splits }: Rule): string {
  return splits.map(({ variantKey, percentage }) => `${variantKey} ${formatPercentage(percentage)}%`).join(", ");
}

function ruleLines(rule: Rule, index: number, audiences: AudienceNames): string[] {
  const title = `Rule ${index + 1}${rule.name ? ` · ${rule.name}` : ""}`;
  const conditions = rule.conditions ?? [];
  const audience =
    rule.audienceKey || conditions.length === 0
      ? [`  for ${describeAudience(rule, audiences)}`]
      : conditions.map((condition, position) => `  ${position === 0 ? "if" : "and"} ${describeCondition(condition)}`);
  const splits = rule.splits.map(({ variantKey, percentage }) => `  ${variantKey} ${formatPercentage(percentage)}%`);
  return [title, ...audience, ...splits];
}

export function targetingLines(targeting: Targeting, audiences: AudienceNames): string[] {
  return [
    `Targeting ${targeting.enabled ? "on" : "off"}`,
    `Off variant ${targeting.offVariantKey}`,
    ...targeting.rules.flatMap((rule, index) => ruleLines(rule, index, audiences)),
  ];
}
