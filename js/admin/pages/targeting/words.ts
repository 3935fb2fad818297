// A targeting in words: conditions, rules, and a whole targeting line by line.
import type { Condition, Value } from "../../parts/conditions/draft.js";
import { OPERATORS, takesList } from "../../parts/conditions/operators.js";
import { words as valueWords } from "../../parts/conditions/words.js";
import type { Rule, Targeting } from "./draft.js";
import { draftPercentage } from "./percentage.js";

/** The name of a saved audience, by its key. */
export type AudienceNames = ReadonlyMap<string, string>;

export function conditionWords({ attribute, operator, values }: Condition): string {
  const list = takesList(operator) ? values : values.slice(0, 1);
  return `${attribute} ${OPERATORS[operator]} ${(list as Value[]).map(valueWords).join(", ") || "nothing"}`;
}

export function audienceWords(rule: Rule, audiences: AudienceNames): string {
  if (rule.audienceKey) return audiences.get(rule.audienceKey) ?? rule.audienceKey;
  return (rule.conditions ?? []).map(conditionWords).join(" and ") || "everyone";
}

/** `on 20 %, off 80 %`. */
export function splitWords({ splits }: Rule): string {
  return splits.map(({ variantKey, percentage }) => `${variantKey} ${draftPercentage(percentage)} %`).join(", ");
}

function ruleLines(rule: Rule, index: number, audiences: AudienceNames): string[] {
  const name = `Rule ${index + 1}${rule.name ? ` · ${rule.name}` : ""}`;
  const conditions = rule.conditions ?? [];
  const whom = rule.audienceKey
    ? [`  for ${audienceWords(rule, audiences)}`]
    : conditions.length === 0
      ? ["  for everyone"]
      : conditions.map((condition, place) => `  ${place === 0 ? "if" : "and"} ${conditionWords(condition)}`);
  const splits = rule.splits.map(({ variantKey, percentage }) => `  ${variantKey} ${draftPercentage(percentage)} %`);
  return [name, ...whom, ...splits];
}

export function targetingLines(targeting: Targeting, audiences: AudienceNames): string[] {
  return [
    `Targeting ${targeting.enabled ? "on" : "off"}`,
    `Off variant ${targeting.offVariantKey}`,
    ...targeting.rules.flatMap((rule, index) => ruleLines(rule, index, audiences)),
  ];
}
