// What differs between two targetings, in sentences: switched, another off variant, rules added, removed, moved, edited.
import type { Rule, Targeting } from "./draft.js";
import { canonical } from "./draft.js";
import { draftPercentage } from "./percentage.js";
import { type AudienceNames, audienceWords, conditionWords, splitWords } from "./words.js";

/** A sentence; what people have written stands in it as `{ name }`. */
export type Sentence = readonly (string | { name: string })[];

function say(texts: TemplateStringsArray, ...names: string[]): Sentence {
  return texts.flatMap((text, index) => {
    const name = names[index];
    return name === undefined ? [text] : [text, { name }];
  });
}

/** Which rule of one side is which of the other, by place; a rule without a partner is not in it. */
type Pairs = ReadonlyMap<number, number>;

/** By identity, where both sides have one. */
export function pairsById(before: readonly string[], after: readonly string[]): Pairs {
  return new Map(before.flatMap((id, index) => (after.includes(id) ? ([[index, after.indexOf(id)]] as const) : [])));
}

/** Rules that are alike are the same one, then those with the same name, then those in the same place. */
export function pairsByLikeness(before: readonly Rule[], after: readonly Rule[]): Pairs {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (like: (one: Rule, other: Rule, sameIndex: boolean) => boolean) => {
    before.forEach((rule, index) => {
      if (pairs.has(index)) return;
      const found = after.findIndex((other, place) => !taken.has(place) && like(rule, other, index === place));
      if (found === -1) return;
      pairs.set(index, found);
      taken.add(found);
    });
  };
  pair((one, other) => JSON.stringify(one) === JSON.stringify(other));
  pair((one, other) => Boolean(one.name) && one.name === other.name);
  pair((_one, _other, sameIndex) => sameIndex);
  return pairs;
}

/** Those of the places that keep their order among themselves: the longest run that only rises. */
function unmoved(places: readonly number[]): Set<number> {
  /** The length of the longest run that ends here, and what stands before its end. */
  const runs: { length: number; before: number }[] = [];
  let end = -1;
  places.forEach((place, index) => {
    let run = { length: 1, before: -1 };
    for (const [earlier, { length }] of runs.entries()) {
      if ((places[earlier] as number) < place && length >= run.length) run = { length: length + 1, before: earlier };
    }
    runs.push(run);
    if (run.length > (runs[end]?.length ?? 0)) end = index;
  });
  const still = new Set<number>();
  for (let index = end; index >= 0; index = runs[index]?.before ?? -1) still.add(places[index] as number);
  return still;
}

function called(rule: Rule, place: number): string {
  return rule.name ? `${place + 1} “${rule.name}”` : String(place + 1);
}

/** The rollout of a rule: each variant whose share has changed. */
function splitChanges(before: Rule, after: Rule): Sentence[] {
  const share = (rule: Rule, variant: string) =>
    draftPercentage(rule.splits.find(({ variantKey }) => variantKey === variant)?.percentage ?? 0);
  const variants = [...new Set([...before.splits, ...after.splits].map(({ variantKey }) => variantKey))];
  const changed = variants.filter((variant) => share(before, variant) !== share(after, variant));
  if (changed.length === 0 && JSON.stringify(before.splits) !== JSON.stringify(after.splits)) {
    return [say`the order of its variants: ${splitWords(after)}`];
  }
  return changed.map((variant) => [{ name: variant }, ` ${share(before, variant)} % → ${share(after, variant)} %`]);
}

function audienceChanges(before: Rule, after: Rule, audiences: AudienceNames): Sentence[] {
  const inline = !before.audienceKey && !after.audienceKey;
  const [old, fresh] = [(before.conditions ?? []).map(conditionWords), (after.conditions ?? []).map(conditionWords)];
  if (!inline || old.length === 0 || fresh.length === 0) {
    const [was, is] = [audienceWords(before, audiences), audienceWords(after, audiences)];
    return was === is && before.audienceKey === after.audienceKey ? [] : [say`audience ${was} → ${is}`];
  }
  const gone = old.filter((words) => !fresh.includes(words));
  const come = fresh.filter((words) => !old.includes(words));
  if (gone.length === 1 && come.length === 1) return [say`condition ${gone[0] ?? ""} → ${come[0] ?? ""}`];
  const changes = [
    ...come.map((words) => say`condition added: ${words}`),
    ...gone.map((words) => say`condition removed: ${words}`),
  ];
  const reordered = changes.length === 0 && JSON.stringify(old) !== JSON.stringify(fresh);
  return reordered ? [["the order of its conditions"]] : changes;
}

export interface Change {
  kind: "switched" | "off variant" | "added" | "removed" | "moved" | "edited";
  sentence: Sentence;
  /** What of a rule was edited. */
  parts?: readonly Sentence[];
}

export function changesOf(
  given: readonly [before: Targeting, after: Targeting],
  audiences: AudienceNames,
  knownPairs?: Pairs,
): Change[] {
  const [before, after] = given.map(canonical) as [Targeting, Targeting];
  const pairs = knownPairs ?? pairsByLikeness(before.rules, after.rules);
  const changes: Change[] = [];
  if (before.enabled !== after.enabled) {
    changes.push({ kind: "switched", sentence: [`Targeting switched ${after.enabled ? "on" : "off"}`] });
  }
  if (before.offVariantKey !== after.offVariantKey) {
    changes.push({ kind: "off variant", sentence: say`Off variant ${before.offVariantKey} → ${after.offVariantKey}` });
  }
  const still = unmoved([...pairs].sort(([one], [other]) => one - other).map(([, place]) => place));
  const partners = new Set(pairs.values());
  before.rules.forEach((rule, index) => {
    const place = pairs.get(index);
    const fresh = place === undefined ? undefined : after.rules[place];
    if (place === undefined || !fresh) {
      changes.push({ kind: "removed", sentence: say`Rule ${called(rule, index)} removed` });
      return;
    }
    if (!still.has(place)) {
      const sentence: Sentence = [
        ...say`Rule ${called(rule, index)}`,
        ` moved from place ${index + 1} to ${place + 1}`,
      ];
      changes.push({ kind: "moved", sentence });
    }
    const parts = [
      ...(rule.name === fresh.name ? [] : [say`name “${rule.name ?? ""}” → “${fresh.name ?? ""}”`]),
      ...audienceChanges(rule, fresh, audiences),
      ...splitChanges(rule, fresh),
    ];
    if (parts.length > 0) changes.push({ kind: "edited", sentence: say`Rule ${called(rule, index)} edited`, parts });
  });
  after.rules.forEach((rule, index) => {
    if (partners.has(index)) return;
    const parts = [say`for ${audienceWords(rule, audiences)}`, [{ name: splitWords(rule) }]];
    changes.push({ kind: "added", sentence: say`Rule ${called(rule, index)} added`, parts });
  });
  return changes;
}
