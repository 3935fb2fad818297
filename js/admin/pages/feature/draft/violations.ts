// What is invalid in a draft, by field: checked here before it is sent, or reported by the server.
import { type Problem, sentence, violationText } from "../../../api/problem.js";
import { type DraftCondition, unreadable } from "../../../parts/conditions/draft.js";
import { operandOf } from "../../../parts/conditions/operators.js";
import { formatThousandths } from "../../../parts/feature/percentage.js";
import { type DraftSplit, parsePercentage, sumOf, WHOLE } from "../splits/percentage.js";
import type { Draft, DraftRule } from "./draft.js";

/** Messages by field name. Names contain the ids of the draft's parts, so messages move with their fields. */
export type Violations = Readonly<Record<string, string>>;

function conditionViolations(condition: DraftCondition): [string, string][] {
  const { id, attribute, operator, values } = condition;
  const violations: [string, string][] = [];
  if (attribute.trim() === "") violations.push([`${id}/attribute`, "Enter an attribute, such as country."]);
  const message = unreadable(condition) ?? valueViolation(operandOf(operator), values);
  if (message) violations.push([`${id}/values`, message]);
  return violations;
}

function valueViolation(operand: ReturnType<typeof operandOf>, [first]: DraftCondition["values"]): string | undefined {
  if (operand === "list") return first ? undefined : "Add at least one value.";
  if (operand === "time") return first?.text ? undefined : "Enter a date and time.";
  const missing = first === undefined || (first.text === "" && operand !== "any" && !first.isStoredEmpty);
  return missing ? "Enter a value." : undefined;
}

/** Undefined if the percentages add up to 100. */
export function sumViolation(splits: readonly DraftSplit[]): string | undefined {
  if (splits.length === 0) return "Add a variant: percentages must add up to 100%.";
  const missing = WHOLE - sumOf(splits);
  if (missing === 0) return undefined;
  const size = formatThousandths(Math.abs(missing));
  return missing > 0 ? `${size}% left to allocate` : `${size}% over-allocated`;
}

function ruleViolations({ id, audience, audienceKey, conditions, splits }: DraftRule): [string, string][] {
  const violations = audience === "conditions" ? conditions.flatMap(conditionViolations) : [];
  if (audience === "saved" && !audienceKey) violations.push([`${id}/audienceKey`, "Choose an audience."]);
  splits.forEach((split, index) => {
    if (parsePercentage(split.percentage) === undefined) {
      violations.push([`${split.id}/percentage`, "Enter 0 to 100, with up to 3 decimals."]);
    }
    const isDuplicate = splits.slice(0, index).some(({ variantKey }) => variantKey === split.variantKey);
    if (isDuplicate) violations.push([`${split.id}/variantKey`, "This variant is already in the split."]);
  });
  const sum = sumViolation(splits);
  if (sum) violations.push([`${id}/splits`, sum]);
  return violations;
}

/** What can be checked without the server; regular expressions, for example, can't. */
export function findViolations(draft: Draft): Violations {
  return Object.fromEntries(draft.rules.flatMap(ruleViolations));
}

/** The field for a JSON pointer from the server; undefined if the page has none. */
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

/** The server's errors by field, and those without a field. */
export function violationsFrom(problem: Problem, draft: Draft): { violations: Violations; withoutField: string[] } {
  const violations: Record<string, string> = {};
  const withoutField: string[] = [];
  for (const violation of problem.errors ?? []) {
    const field = fieldAt(violation.pointer, draft);
    const text = sentence(violation.detail);
    if (!field) withoutField.push(violationText(violation));
    else violations[field] = violations[field] ? `${violations[field]} ${text}` : text;
  }
  return { violations, withoutField };
}

/** Whether the rule, or a condition or split in it, has a violation. */
export function hasViolation(rule: DraftRule, violations: Violations): boolean {
  const ids = [rule.id, ...rule.conditions.map(({ id }) => id), ...rule.splits.map(({ id }) => id)];
  return Object.keys(violations).some((name) => ids.includes(name.split("/")[0] ?? ""));
}
