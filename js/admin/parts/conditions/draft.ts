// Conditions while they are typed: a number is a text until it is one, and each condition keeps its identity.
import type { components } from "../../api/schema.js";
import { BUILT_IN, comparedWith, type Kind, type Operator, operatorsOf, takesList } from "./operators.js";

export type Condition = components["schemas"]["Condition"];
export type Value = string | number | boolean;

export interface DraftValue {
  kind: Kind;
  text: string;
}

export interface DraftCondition {
  id: string;
  attribute: string;
  operator: Operator;
  values: readonly DraftValue[];
}

/** Of a part of a draft: it survives that the part is moved, or that the draft is kept. */
export function newId(): string {
  return Math.random().toString(36).slice(2, 12);
}

export function newCondition(): DraftCondition {
  return { id: newId(), attribute: "", operator: "equals", values: [] };
}

export function toDraft({ attribute, operator, values }: Condition): DraftCondition {
  const drafted = (values as Value[]).map((value): DraftValue => {
    return { kind: typeof value === "string" ? "text" : (typeof value as Kind), text: String(value) };
  });
  return { id: newId(), attribute, operator, values: drafted };
}

/** As the server takes it. What is no number yet stays a text: the server then says what is wrong with it. */
export function toCondition({ attribute, operator, values }: DraftCondition): Condition {
  const counted = takesList(operator) ? values : values.slice(0, 1);
  return { attribute: attribute.trim(), operator, values: counted.map(toValue) };
}

function toValue({ kind, text }: DraftValue): Value {
  if (kind === "boolean") return text === "true";
  if (kind === "text") return text;
  return parseNumber(text) ?? text;
}

export function parseNumber(text: string): number | undefined {
  const number = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

/** With another attribute; the operator stays when that takes it. */
export function withAttribute(condition: DraftCondition, attribute: string): DraftCondition {
  const operators = operatorsOf(attribute);
  const operator = operators.includes(condition.operator) ? condition.operator : (operators[0] ?? "equals");
  return withOperator({ ...condition, attribute }, operator);
}

/** With another operator; the values stay, as far as they are of a kind that it takes. */
export function withOperator(condition: DraftCondition, operator: Operator): DraftCondition {
  const kind = kindFor(condition.attribute, operator);
  const values = kind ? condition.values.map((value) => ({ ...value, kind })) : condition.values;
  return { ...condition, operator, values };
}

/** The only kind that an attribute and an operator leave; undefined where there is a choice. */
export function kindFor(attribute: string, operator: Operator): Kind | undefined {
  const compared = comparedWith(operator);
  if (compared === "number") return "number";
  return compared === "any" || compared === "list" ? BUILT_IN[attribute]?.kind : "text";
}
