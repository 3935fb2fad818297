// Which rule of one targeting corresponds to which of another, and which rules have moved.
import type { Rule } from "./targeting.js";

/** Index before → index after. Added and removed rules are missing. */
export type RulePairs = ReadonlyMap<number, number>;

/** Pairs rules with the same id. */
export function pairById(before: readonly string[], after: readonly string[]): RulePairs {
  return new Map(before.flatMap((id, index) => (after.includes(id) ? ([[index, after.indexOf(id)]] as const) : [])));
}

type Match = (one: Rule, other: Rule, sameIndex: boolean) => boolean;

const isEqual: Match = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isEquallyNamed: Match = (one, other) => Boolean(one.name) && one.name === other.name;
const isUnnamedForTheSame: Match = (one, other) => !one.name && !other.name && usersOf(one) === usersOf(other);

function usersOf({ audienceKey, conditions = [] }: Rule): string {
  return audienceKey ?? JSON.stringify(conditions);
}

/** Pairs equal rules first, then rules with the same name, then rules in the same position. */
export function pairBySimilarity(before: readonly Rule[], after: readonly Rule[]): RulePairs {
  return pairBy([isEqual, isEquallyNamed, (_one, _other, sameIndex) => sameIndex], before, after);
}

/** Pairs only rules that are the same one: equal, equally named, or unnamed and for the same users. */
export function pairByIdentity(before: readonly Rule[], after: readonly Rule[]): RulePairs {
  return pairBy([isEqual, isEquallyNamed, isUnnamedForTheSame], before, after);
}

function pairBy(matches: readonly Match[], before: readonly Rule[], after: readonly Rule[]): RulePairs {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const isMatch of matches) {
    before.forEach((rule, index) => {
      if (pairs.has(index)) return;
      const partner = after.findIndex((other, position) => {
        return !taken.has(position) && isMatch(rule, other, index === position);
      });
      if (partner === -1) return;
      pairs.set(index, partner);
      taken.add(partner);
    });
  }
  return pairs;
}

/** The indexes after of rules that keep their order: the longest increasing subsequence. */
export function unmovedRules(pairs: RulePairs): Set<number> {
  const positions = [...pairs].sort(([one], [other]) => one - other).map(([, position]) => position);
  /** The length of the longest run that ends here, and the index of the one before in that run. */
  const runs: { length: number; previous: number }[] = [];
  let last = -1;
  positions.forEach((position, index) => {
    let run = { length: 1, previous: -1 };
    for (const [earlier, { length }] of runs.entries()) {
      if ((positions[earlier] as number) < position && length >= run.length) {
        run = { length: length + 1, previous: earlier };
      }
    }
    runs.push(run);
    if (run.length > (runs[last]?.length ?? 0)) last = index;
  });
  const unmoved = new Set<number>();
  for (let index = last; index >= 0; index = runs[index]?.previous ?? -1) unmoved.add(positions[index] as number);
  return unmoved;
}
