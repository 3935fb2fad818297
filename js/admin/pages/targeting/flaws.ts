// What is wrong with a draft, by the field that it is wrong in: found here before it is sent, or told by the server.
import type { Problem } from "../../api/problem.js";
import { type DraftCondition, parseNumber } from "../../parts/conditions/draft.js";
import { comparedWith } from "../../parts/conditions/operators.js";
import type { Draft, DraftRule } from "./draft.js";
import { type DraftSplit, formatThousandths, parsePercentage, sumOf, WHOLE } from "./percentage.js";

/** Name of a field → what is wrong there. The parts of a draft are named by their ids, so that it moves with them. */
export type Flaws = Readonly<Record<string, string>>;

function conditionFlaws({ id, attribute, operator, values }: DraftCondition): [string, string][] {
  const flaws: [string, string][] = [];
  if (attribute.trim() === "") flaws.push([`${id}/attribute`, "Name an attribute, such as country."]);
  const compared = comparedWith(operator);
  const [first] = values;
  if (compared === "list") {
    if (!first) flaws.push([`${id}/values`, "Add at least one value."]);
  } else if (compared === "time") {
    if (!first?.text) flaws.push([`${id}/values`, "Choose a date and a time."]);
  } else if (compared === "number" || first?.kind === "number") {
    if (parseNumber(first?.text ?? "") === undefined)
      flaws.push([`${id}/values`, "Enter a number, such as 18 or 2.5."]);
  } else if (first === undefined || (first.text === "" && operator !== "equals")) {
    flaws.push([`${id}/values`, "Enter what to compare with."]);
  }
  return flaws;
}

/** In words, when the shares do not add up. */
export function sumFlaw(splits: readonly DraftSplit[]): string | undefined {
  if (splits.length === 0) return "Add a variant: the shares have to add up to 100 %.";
  const missing = WHOLE - sumOf(splits);
  if (missing === 0) return undefined;
  const size = formatThousandths(Math.abs(missing));
  return missing > 0 ? `${size} % are still to be given out.` : `${size} % too much is given out.`;
}

function ruleFlaws({ id, audience, audienceKey, conditions, splits }: DraftRule): [string, string][] {
  const flaws = audience === "conditions" ? conditions.flatMap(conditionFlaws) : [];
  if (audience === "saved" && !audienceKey) flaws.push([`${id}/audienceKey`, "Choose an audience."]);
  splits.forEach((split, index) => {
    const wrong = parsePercentage(split.percentage) === undefined;
    if (wrong) flaws.push([`${split.id}/percentage`, "From 0 to 100, with at most 3 decimals."]);
    const twice = splits.slice(0, index).some(({ variantKey }) => variantKey === split.variantKey);
    if (twice) flaws.push([`${split.id}/variantKey`, "This variant has a share already."]);
  });
  const sum = sumFlaw(splits);
  if (sum) flaws.push([`${id}/splits`, sum]);
  return flaws;
}

/** What can be told without the server. Regular expressions, for example, it reads itself. */
export function flawsOf(draft: Draft): Flaws {
  return Object.fromEntries(draft.rules.flatMap(ruleFlaws));
}

/** The field that a JSON pointer of the server is about; undefined when this page has none for it. */
function fieldAt(pointer: string, draft: Draft): string | undefined {
  const [, top, ruleIndex, part, index, field] = pointer.split("/");
  if (top === "offVariantKey") return top;
  const rule = top === "rules" ? draft.rules[Number(ruleIndex)] : undefined;
  if (!rule) return undefined;
  if (part === "conditions" && index !== undefined) {
    const condition = rule.conditions[Number(index)];
    return condition && `${condition.id}/${field ?? "attribute"}`;
  }
  if (part === "splits" && index !== undefined) {
    const split = rule.splits[Number(index)];
    return split && `${split.id}/${field ?? "variantKey"}`;
  }
  return `${rule.id}/${part ?? "name"}`;
}

/** The server's errors at their fields, and those that have none. */
export function located(problem: Problem, draft: Draft): { flaws: Flaws; elsewhere: string[] } {
  const flaws: Record<string, string> = {};
  const elsewhere: string[] = [];
  for (const { pointer, detail } of problem.errors ?? []) {
    const field = fieldAt(pointer, draft);
    if (field) flaws[field] = flaws[field] ? `${flaws[field]} ${detail}` : detail;
    else elsewhere.push(detail);
  }
  return { flaws, elsewhere };
}

/** Of a rule: its own flaws and those of what is in it. */
export function flawed(rule: DraftRule, flaws: Flaws): boolean {
  const ids = [rule.id, ...rule.conditions.map(({ id }) => id), ...rule.splits.map(({ id }) => id)];
  return Object.keys(flaws).some((name) => ids.includes(name.split("/")[0] ?? ""));
}
