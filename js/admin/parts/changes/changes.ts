// The changes from one targeting to another: on or off, off variant, rules added, removed, moved and edited.
import { type AudienceNames, describeAudience, describeSplit } from "./descriptions.js";
import { type Phrase, phrase } from "./phrase.js";
import { ruleEdits } from "./rule-edits.js";
import { pairBySimilarity, type RulePairs, unmovedRules } from "./rule-pairs.js";
import { canonical, type Rule, type Targeting } from "./targeting.js";

export interface Change {
  kind: "switched" | "off variant" | "added" | "removed" | "moved" | "edited" | "changed";
  summary: Phrase;
  /** What was edited in a rule, or what an added rule does. */
  details?: readonly Phrase[];
}

function ruleTitle(rule: Rule, index: number): string {
  return rule.name ? `${index + 1} "${rule.name}"` : String(index + 1);
}

/** Without `knownPairs`, corresponding rules are found by similarity. */
export function changesBetween(
  targetings: readonly [before: Targeting, after: Targeting],
  audiences: AudienceNames,
  knownPairs?: RulePairs,
): Change[] {
  const [before, after] = targetings.map(canonical) as [Targeting, Targeting];
  const pairs = knownPairs ?? pairBySimilarity(before.rules, after.rules);
  return [
    ...settingChanges(before, after),
    ...existingRuleChanges([before.rules, after.rules], pairs, audiences),
    ...addedRules(after.rules, pairs, audiences),
  ];
}

function settingChanges(before: Targeting, after: Targeting): Change[] {
  const changes: Change[] = [];
  if (before.enabled !== after.enabled) {
    changes.push({ kind: "switched", summary: [`Targeting turned ${after.enabled ? "on" : "off"}`] });
  }
  if (before.offVariantKey !== after.offVariantKey) {
    const summary = phrase`Off variant ${before.offVariantKey} → ${after.offVariantKey}`;
    changes.push({ kind: "off variant", summary });
  }
  return changes;
}

function existingRuleChanges(
  [before, after]: readonly [readonly Rule[], readonly Rule[]],
  pairs: RulePairs,
  audiences: AudienceNames,
): Change[] {
  const unmoved = unmovedRules(pairs);
  return before.flatMap((rule, index): Change[] => {
    const title = ruleTitle(rule, index);
    const position = pairs.get(index);
    const partner = position === undefined ? undefined : after[position];
    if (position === undefined || !partner) return [{ kind: "removed", summary: phrase`Rule ${title} removed` }];
    const changes: Change[] = [];
    if (!unmoved.has(position)) {
      const summary = [...phrase`Rule ${title}`, ` moved from position ${index + 1} to ${position + 1}`];
      changes.push({ kind: "moved", summary });
    }
    const details = ruleEdits(rule, partner, audiences);
    if (details.length > 0) changes.push({ kind: "edited", summary: phrase`Rule ${title} edited`, details });
    return changes;
  });
}

function addedRules(after: readonly Rule[], pairs: RulePairs, audiences: AudienceNames): Change[] {
  const existing = new Set(pairs.values());
  return after.flatMap((rule, index): Change[] => {
    if (existing.has(index)) return [];
    const details = [phrase`for ${describeAudience(rule, audiences)}`, [{ name: describeSplit(rule) }]];
    return [{ kind: "added", summary: phrase`Rule ${ruleTitle(rule, index)} added`, details }];
  });
}
