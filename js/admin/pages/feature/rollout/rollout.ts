// A rollout: one rule that serves `on` to a percentage of everyone, and `off` to the rest.
import { newId } from "../../../parts/conditions/draft.js";
import { formatThousandths } from "../../../parts/feature/percentage.js";
import { type Draft, type DraftRule, isForEveryone, newRule } from "../draft/draft.js";
import { type DraftSplit, WHOLE } from "../splits/percentage.js";

export const ON = "on";
const OFF = "off";

/** The index of the rule that a rollout changes: the first one for everyone. */
export function everyoneRule({ rules }: Draft): number | undefined {
  const index = rules.findIndex(isForEveryone);
  return index === -1 ? undefined : index;
}

/** Targeting on, with `on` for so many thousandths of a percent of everyone whom no other rule matches. */
export function rolledOut(draft: Draft, thousandths: number): Draft {
  const index = everyoneRule(draft) ?? draft.rules.length;
  const old = draft.rules[index] ?? { ...newRule([ON, OFF], OFF), splits: [] };
  const rule: DraftRule = { ...old, splits: splitsFor(old.splits, thousandths) };
  return { ...draft, enabled: true, rules: [...draft.rules.slice(0, index), rule, ...draft.rules.slice(index + 1)] };
}

/** In the order of the split before: users who have `on` keep it while the percentage grows. */
function splitsFor(old: readonly DraftSplit[], thousandths: number): DraftSplit[] {
  const sizes: Record<string, number> = { [ON]: thousandths, [OFF]: WHOLE - thousandths };
  const kept = old.map(({ variantKey }) => variantKey).filter((variant) => variant in sizes);
  return [...new Set([...kept, ON, OFF])].flatMap((variantKey) => {
    const size = sizes[variantKey] ?? 0;
    const id = old.find((split) => split.variantKey === variantKey)?.id ?? newId();
    return size === 0 ? [] : [{ id, variantKey, percentage: formatThousandths(size) }];
  });
}
