// How a draft follows what is saved meanwhile: which saved rules are those of the draft, and whether only the switch was used.
import { type SavedTargeting, sameTargeting, toDraft, toTargeting } from "./draft.js";
import type { StoredDraft } from "./draft-storage.js";

/** The ids in the draft of the saved rules: of an equal or equally named rule, else of the rule in the same position. */
export function baseIds(saved: SavedTargeting, { draft, ids }: StoredDraft): string[] {
  const savedDraft = toDraft(saved);
  const draftRules = toTargeting(draft).rules;
  const taken = new Set<string>();
  return toTargeting(savedDraft).rules.map((rule, index) => {
    const newId = savedDraft.rules[index]?.id ?? String(index);
    const match = draftRules.findIndex(
      (draftRule, position) =>
        !taken.has(draft.rules[position]?.id ?? "") &&
        (JSON.stringify(draftRule) === JSON.stringify(rule) ||
          (Boolean(draftRule.name) && draftRule.name === rule.name)),
    );
    const id = draft.rules[match]?.id ?? ids[index] ?? newId;
    if (taken.has(id)) return newId;
    taken.add(id);
    return id;
  });
}

/** The same changes, based on this version. */
export function rebased(draft: StoredDraft, base: SavedTargeting): StoredDraft {
  return { ...draft, base, ids: baseIds(base, draft) };
}

/** Whether one can follow the other without a decision: nothing but on or off has changed. */
export function differOnlyInSwitch(one: SavedTargeting, other: SavedTargeting): boolean {
  return one.enabled !== other.enabled && sameTargeting({ ...one, enabled: other.enabled }, other);
}
