// Which operators an attribute takes, what each operator compares with, and how both are called.
import type { DraftCondition, DraftValue, Operator } from "./draft.js";

export const OPERATORS: Record<Operator, string> = {
  equals: "equals",
  in: "is one of",
  notIn: "is none of",
  contains: "contains",
  startsWith: "starts with",
  endsWith: "ends with",
  matches: "matches",
  greaterThan: "is more than",
  greaterThanOrEqual: "is at least",
  lessThan: "is less than",
  lessThanOrEqual: "is at most",
  before: "is before",
  after: "is after",
};

export const NUMERIC: readonly Operator[] = [
  "greaterThan",
  "greaterThanOrEqual",
  "lessThan",
  "lessThanOrEqual",
] as const;
const TIMES: readonly Operator[] = ["before", "after"];
const TEXTUAL: readonly Operator[] = ["equals", "in", "notIn", "contains", "startsWith", "endsWith", "matches"];

/** What an operator compares with. */
export type Compared = "any" | "list" | "text" | "pattern" | "number" | "time";

export function comparedWith(operator: Operator): Compared {
  if (operator === "in" || operator === "notIn") return "list";
  if (operator === "matches") return "pattern";
  if (NUMERIC.includes(operator)) return "number";
  if (TIMES.includes(operator)) return "time";
  return operator === "equals" ? "any" : "text";
}

export const BUILT_IN = {
  "flagservice.user.id": { detail: "The user's id", operators: TEXTUAL },
  "flagservice.date": { detail: "The time of the evaluation", operators: TIMES },
  "flagservice.hourofday": { detail: "The hour in UTC, 0 to 23", operators: NUMERIC },
} as const satisfies Record<string, { detail: string; operators: readonly Operator[] }>;

export function operatorsOf(attribute: string): readonly Operator[] {
  return attribute in BUILT_IN
    ? BUILT_IN[attribute as keyof typeof BUILT_IN].operators
    : (Object.keys(OPERATORS) as Operator[]);
}

/** With another attribute; the operator stays when that takes it. */
export function withAttribute(condition: DraftCondition, attribute: string): DraftCondition {
  const operators = operatorsOf(attribute);
  const operator = operators.includes(condition.operator) ? condition.operator : (operators[0] ?? "equals");
  return withOperator({ ...condition, attribute }, operator);
}

/** With another operator; the values stay, as far as they are of a kind that it takes. */
export function withOperator(condition: DraftCondition, operator: Operator): DraftCondition {
  const compared = comparedWith(operator);
  const kept = (value: DraftValue): DraftValue => {
    if (compared === "number") return { ...value, kind: "number" };
    return compared === "any" || compared === "list" ? value : { ...value, kind: "text" };
  };
  return { ...condition, operator, values: condition.values.map(kept) };
}
