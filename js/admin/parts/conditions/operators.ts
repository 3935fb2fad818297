// The condition operators: their labels, what each compares with, and which ones an attribute supports.
import type { components } from "../../api/schema.js";

export type Operator = components["schemas"]["Operator"];

export const OPERATORS: Record<Operator, string> = {
  equals: "equals",
  in: "is one of",
  notIn: "is not one of",
  contains: "contains",
  startsWith: "starts with",
  endsWith: "ends with",
  matches: "matches",
  greaterThan: "is greater than",
  greaterThanOrEqual: "is at least",
  lessThan: "is less than",
  lessThanOrEqual: "is at most",
  before: "is before",
  after: "is after",
};

const NUMERIC: readonly Operator[] = ["greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"];
const EQUALITY: readonly Operator[] = ["equals", "in", "notIn"];
const TEMPORAL: readonly Operator[] = ["before", "after"];

/** What an operator compares with. */
type Operand = "any" | "list" | "text" | "pattern" | "number" | "time";

export function operandOf(operator: Operator): Operand {
  if (operator === "in" || operator === "notIn") return "list";
  if (operator === "matches") return "pattern";
  if (NUMERIC.includes(operator)) return "number";
  if (TEMPORAL.includes(operator)) return "time";
  return operator === "equals" ? "any" : "text";
}

/** The other operators only use the first value. */
export function takesList(operator: Operator): boolean {
  return operandOf(operator) === "list";
}

/** The type of a value. The server doesn't convert between them. */
export type ValueKind = "text" | "number" | "boolean";

export const VALUE_KINDS: readonly { key: ValueKind; label: string }[] = [
  { key: "text", label: "Text" },
  { key: "number", label: "Number" },
  { key: "boolean", label: "Boolean" },
];
export const BOOLEANS = [
  { key: "true", label: "true" },
  { key: "false", label: "false" },
];

interface BuiltInAttribute {
  detail: string;
  operators: readonly Operator[];
  kind: ValueKind;
}

/** The attributes that the service sets for every user. */
export const BUILT_IN: Readonly<Record<string, BuiltInAttribute>> = {
  "flagservice.user.id": {
    detail: "User id",
    operators: [...EQUALITY, "contains", "startsWith", "endsWith", "matches"],
    kind: "text",
  },
  "flagservice.date": { detail: "Time of the evaluation", operators: TEMPORAL, kind: "text" },
  "flagservice.hourofday": { detail: "Hour in UTC, 0 to 23", operators: [...EQUALITY, ...NUMERIC], kind: "number" },
};

export function operatorsOf(attribute: string): readonly Operator[] {
  return BUILT_IN[attribute]?.operators ?? (Object.keys(OPERATORS) as Operator[]);
}

export interface AttributeChoice {
  key: string;
  label: string;
  detail?: string;
}

/** These attributes, sorted, followed by the built-in ones. */
export function attributeChoices(names: Iterable<string>): AttributeChoice[] {
  const custom = [...new Set(names)].filter((name) => name !== "" && !Object.hasOwn(BUILT_IN, name)).sort();
  return [
    ...custom.map((key) => ({ key, label: key })),
    ...Object.entries(BUILT_IN).map(([key, { detail }]) => ({ key, label: key, detail })),
  ];
}
