// Which rules no user ever reaches: those below one that serves everyone.
import { type Draft, isForEveryone } from "../draft/draft.js";
import type { Audience } from "../targeting-context.js";
import { ruleLabel } from "./rule-label.js";

/** The index of the first rule that serves everyone; undefined if each of them leaves some users to the next. */
export function lastReached({ rules }: Pick<Draft, "rules">, audiences: readonly Audience[]): number | undefined {
  const index = rules.findIndex((rule) => {
    if (rule.audience !== "saved") return isForEveryone(rule);
    return audiences.find(({ key }) => key === rule.audienceKey)?.conditions.length === 0;
  });
  return index === -1 ? undefined : index;
}

/** The labels of the rules below it. */
export function unreachedRules({ rules }: Pick<Draft, "rules">, last: number | undefined): string[] {
  return last === undefined ? [] : rules.map(ruleLabel).slice(last + 1);
}

/** `rule 1 serves everyone.` */
export function whyUnreached(last: number): string {
  return `rule ${last + 1} serves everyone.`;
}
