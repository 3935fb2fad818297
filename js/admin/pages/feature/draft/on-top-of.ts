// The changes of a draft, made to another targeting than the one that it is based on: to what a scheduled change leaves.
import { pairByIdentity } from "../../../parts/changes/rule-pairs.js";
import { canonical, type Rule, type Targeting } from "../../../parts/changes/targeting.js";
import { type Draft, type DraftRule, toDraft, toTargeting } from "./draft.js";

/** A draft with the targeting that it changes, and the ids in the draft of the rules of that one. */
export interface Edit {
  base: Targeting;
  ids: readonly string[];
  draft: Draft;
}

/** What the edit changes is as in its draft; everything else is as in `targeting`, which is the new base. */
export function onTopOf(targeting: Targeting, { base, ids, draft }: Edit): Edit {
  const basis = toDraft(targeting);
  const known = new Map(toDraft(base).rules.map((rule, index) => [ids[index] ?? rule.id, rule]));
  const rules = withIds(basis.rules, known, draft.rules);
  const merged: Draft = {
    enabled: draft.enabled === base.enabled ? targeting.enabled : draft.enabled,
    offVariantKey: draft.offVariantKey === base.offVariantKey ? targeting.offVariantKey : draft.offVariantKey,
    rules: mergedRules(known, draft.rules, rules),
  };
  return { base: targeting, ids: rules.map(({ id }) => id), draft: merged };
}

type Rules = readonly DraftRule[];
type KnownRules = ReadonlyMap<string, DraftRule>;

/** Gives each rule the id that the same one has in the base of the draft, else in the draft. */
function withIds(rules: Rules, known: KnownRules, drafted: Rules): DraftRule[] {
  const inBase = sameRules(rules, [...known.values()], [...known.keys()]);
  const taken = new Set(inBase.values());
  const others = drafted.filter(({ id }) => !taken.has(id));
  const inDraft = sameRules(
    rules.filter(({ id }) => !inBase.has(id)),
    others,
    others.map(({ id }) => id),
  );
  return rules.map((rule) => ({ ...rule, id: inBase.get(rule.id) ?? inDraft.get(rule.id) ?? rule.id }));
}

/** By the id of a rule, the id of the same one among the others. */
function sameRules(rules: Rules, others: Rules, ids: readonly string[]): ReadonlyMap<string, string> {
  const pairs = pairByIdentity(others.map(ruleOf), rules.map(ruleOf));
  return new Map([...pairs].map(([other, rule]) => [(rules[rule] as DraftRule).id, ids[other] as string]));
}

function ruleOf(rule: DraftRule): Rule {
  const { rules } = canonical(toTargeting({ enabled: true, offVariantKey: "", rules: [rule] }));
  return rules[0] as Rule;
}

function mergedRules(known: KnownRules, drafted: Rules, theirs: Rules): DraftRule[] {
  const mine = new Map(drafted.map((rule) => [rule.id, rule]));
  const others = new Map(theirs.map((rule) => [rule.id, rule]));
  // Undefined if it was removed. What only the draft has stays if the draft has changed it.
  const merge = (id: string): DraftRule | undefined => {
    const [before, here, there] = [known.get(id), mine.get(id), others.get(id)];
    if (here === undefined) return before === undefined ? there : undefined;
    if (there === undefined) return before && isSame(before, here, everyPart) ? undefined : here;
    return mergedRule(before, here, there);
  };
  const isMoved = !isSameOrder([...known.keys()], drafted);
  const [first, second] = isMoved ? [drafted, theirs] : [theirs, drafted];
  return inOneOrder(first, second).flatMap((id) => merge(id) ?? []);
}

const partsOf = {
  name: ({ name }: Rule) => name,
  users: ({ audienceKey, conditions }: Rule) => [audienceKey, conditions],
  splits: ({ splits }: Rule) => splits,
};
const everyPart = (rule: Rule): unknown => rule;

function isSame(one: DraftRule, other: DraftRule, part: (rule: Rule) => unknown): boolean {
  return JSON.stringify(part(ruleOf(one))) === JSON.stringify(part(ruleOf(other)));
}

function mergedRule(before: DraftRule | undefined, here: DraftRule, there: DraftRule): DraftRule {
  const of = (part: (rule: Rule) => unknown) => (before && isSame(before, here, part) ? there : here);
  const { audience, audienceKey, conditions } = of(partsOf.users);
  const [{ name }, { splits }] = [of(partsOf.name), of(partsOf.splits)];
  return { id: here.id, name, audience, audienceKey, conditions, splits };
}

/** Whether the rules with these ids that are left have this order. */
function isSameOrder(ids: readonly string[], rules: Rules): boolean {
  const order = rules.map(({ id }) => ids.indexOf(id)).filter((index) => index !== -1);
  return order.every((index, place) => place === 0 || index > (order[place - 1] as number));
}

/** The ids of both lists: in the order of the first, those of the second alone before the one that follows them there, else last. */
function inOneOrder(first: Rules, second: Rules): string[] {
  const ids = first.map(({ id }) => id);
  let next = ids.length;
  for (const { id } of [...second].reverse()) {
    const place = ids.indexOf(id);
    if (place === -1) ids.splice(next, 0, id);
    else next = place;
  }
  return ids;
}
