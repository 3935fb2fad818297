// What differs between two versions of a rule: its name, its audience, its split.
import { describeCondition } from "../conditions/description.js";
import type { Condition } from "../conditions/draft.js";
import { formatPercentage } from "../feature/percentage.js";
import { type AudienceNames, describeAudience, describeSplit } from "./descriptions.js";
import { type Phrase, phrase } from "./phrase.js";
import type { Rule } from "./targeting.js";

export function ruleEdits(before: Rule, after: Rule, audiences: AudienceNames): Phrase[] {
  return [
    ...(before.name === after.name ? [] : [phrase`name "${before.name ?? ""}" → "${after.name ?? ""}"`]),
    ...audienceEdits(before, after, audiences),
    ...splitEdits(before, after),
  ];
}

function audienceEdits(before: Rule, after: Rule, audiences: AudienceNames): Phrase[] {
  const inline = !before.audienceKey && !after.audienceKey;
  const [oldConditions, newConditions] = [before.conditions ?? [], after.conditions ?? []];
  if (!inline || oldConditions.length === 0 || newConditions.length === 0) {
    const [from, to] = [describeAudience(before, audiences), describeAudience(after, audiences)];
    return from === to && before.audienceKey === after.audienceKey ? [] : [phrase`audience ${from} → ${to}`];
  }
  return conditionEdits(oldConditions, newConditions);
}

/** One phrase for each condition that was added or removed. */
export function conditionEdits(before: readonly Condition[], after: readonly Condition[]): Phrase[] {
  const [oldConditions, newConditions] = [before.map(describeCondition), after.map(describeCondition)];
  const removed = oldConditions.filter((condition) => !newConditions.includes(condition));
  const added = newConditions.filter((condition) => !oldConditions.includes(condition));
  if (removed.length === 1 && added.length === 1) return [phrase`condition ${removed[0] ?? ""} → ${added[0] ?? ""}`];
  const edits = [
    ...added.map((condition) => phrase`condition added: ${condition}`),
    ...removed.map((condition) => phrase`condition removed: ${condition}`),
  ];
  const reordered = edits.length === 0 && JSON.stringify(oldConditions) !== JSON.stringify(newConditions);
  return reordered ? [["conditions reordered"]] : edits;
}

/** One phrase for each variant with another percentage. */
function splitEdits(before: Rule, after: Rule): Phrase[] {
  const percentage = (rule: Rule, variant: string) =>
    formatPercentage(rule.splits.find(({ variantKey }) => variantKey === variant)?.percentage ?? 0);
  const variants = [...new Set([...before.splits, ...after.splits].map(({ variantKey }) => variantKey))];
  const changed = variants.filter((variant) => percentage(before, variant) !== percentage(after, variant));
  if (changed.length === 0 && JSON.stringify(before.splits) !== JSON.stringify(after.splits)) {
    return [phrase`variants reordered: ${describeSplit(after)}`];
  }
  return changed.map((name) => [{ name }, ` ${percentage(before, name)}% → ${percentage(after, name)}%`]);
}
