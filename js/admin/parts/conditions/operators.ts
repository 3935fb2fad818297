// What conditions can ask: the operators by their names for people, what each compares with, and which an attribute takes.
import type { components } from "../../api/schema.js";

export type Operator = components["schemas"]["Operator"];

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

const ORDER: readonly Operator[] = ["greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"];
const SAME: readonly Operator[] = ["equals", "in", "notIn"];
const TIMES: readonly Operator[] = ["before", "after"];

/** What an operator compares with. */
export type Compared = "any" | "list" | "text" | "pattern" | "number" | "time";

export function comparedWith(operator: Operator): Compared {
  if (operator === "in" || operator === "notIn") return "list";
  if (operator === "matches") return "pattern";
  if (ORDER.includes(operator)) return "number";
  if (TIMES.includes(operator)) return "time";
  return operator === "equals" ? "any" : "text";
}

/** All others look at the first value alone. */
export function takesList(operator: Operator): boolean {
  return comparedWith(operator) === "list";
}

/** A kind of value; they are not converted into each other. */
export type Kind = "text" | "number" | "boolean";

interface BuiltIn {
  detail: string;
  operators: readonly Operator[];
  kind: Kind;
}

/** The attributes that the service itself gives every user. */
export const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  "flagservice.user.id": {
    detail: "The user's id",
    operators: [...SAME, "contains", "startsWith", "endsWith", "matches"],
    kind: "text",
  },
  "flagservice.date": { detail: "The time of the evaluation", operators: TIMES, kind: "text" },
  "flagservice.hourofday": { detail: "The hour in UTC, 0 to 23", operators: [...SAME, ...ORDER], kind: "number" },
};

export function operatorsOf(attribute: string): readonly Operator[] {
  return BUILT_IN[attribute]?.operators ?? (Object.keys(OPERATORS) as Operator[]);
}

/** An attribute to choose. */
export interface AttributeChoice {
  key: string;
  label: string;
  detail?: string;
}

/** These attributes, and the built-in ones. */
export function attributeChoices(names: Iterable<string>): AttributeChoice[] {
  const own = [...new Set(names)].filter((name) => name !== "" && !(name in BUILT_IN)).sort();
  return [
    ...own.map((key) => ({ key, label: key })),
    ...Object.entries(BUILT_IN).map(([key, { detail }]) => ({ key, label: key, detail })),
  ];
}
