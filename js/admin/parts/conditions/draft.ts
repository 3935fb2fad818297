// Conditions while they are edited: a number may be incomplete text, and each condition keeps its id.
import type { components } from "../../api/schema.js";
import { BUILT_IN, type Operator, operandOf, operatorsOf, takesList, type ValueKind } from "./operators.js";

export type Condition = components["schemas"]["Condition"];
export type Value = string | number | boolean;

export interface DraftValue {
  kind: ValueKind;
  text: string;
  /** Whether it is an empty text that is stored. */
  isStoredEmpty?: boolean;
}

export interface DraftCondition {
  id: string;
  attribute: string;
  /** Whether the attribute was typed, and blanks around it are a slip. A stored one stays as it is. */
  isTyped?: boolean;
  operator: Operator;
  values: readonly DraftValue[];
}

/** Identifies a part of a draft, also after it has moved or was restored from storage. */
export function newId(): string {
  return Math.random().toString(36).slice(2, 12);
}

export function newCondition(): DraftCondition {
  return { id: newId(), attribute: "", operator: "equals", values: [] };
}

export function toDraft({ attribute, operator, values }: Condition): DraftCondition {
  const draftValues = (values as Value[]).map((value): DraftValue => {
    if (value === "") return { kind: "text", text: "", isStoredEmpty: true };
    return { kind: typeof value === "string" ? "text" : (typeof value as ValueKind), text: String(value) };
  });
  return { id: newId(), attribute, operator, values: draftValues };
}

/** The condition for the server. An unreadable value becomes text; nothing with one is sent. */
export function toCondition({ attribute, isTyped, operator, values }: DraftCondition): Condition {
  const usedValues = takesList(operator) ? values : values.slice(0, 1);
  return { attribute: isTyped ? attribute.trim() : attribute, operator, values: usedValues.map(toValue) };
}

function toValue({ kind, text }: DraftValue): Value {
  if (kind === "boolean") return isBoolean(text) ? text === "true" : text;
  if (kind === "text") return text;
  return parseNumber(text) ?? text;
}

/** Whether it is one as `String` writes it. */
function isBoolean(text: string): boolean {
  return text === "true" || text === "false";
}

/** `1,000` is a thousand to some people and one to others. */
const AMBIGUOUS = /^[+-]?\d{1,3}(,\d{3})+$/;

/** The decimal separator may be a comma. */
export function parseNumber(typed: string): number | undefined {
  const text = typed.trim();
  const number = Number(text.replace(",", "."));
  return text === "" || AMBIGUOUS.test(text) || !Number.isFinite(number) ? undefined : number;
}

export const NUMBER_WANTED = "Enter a number, such as 18 or 2.5.";

/** What to do about a value that cannot be read as the type that it has or needs; undefined if there is none. */
export function unreadable({ operator, values }: DraftCondition): string | undefined {
  const operand = operandOf(operator);
  if (operand !== "list") return wanted(operand === "number" ? "number" : values[0]?.kind, values[0]?.text ?? "");
  const message = ({ kind, text }: DraftValue) => wanted(kind, text);
  const value = values.find(message);
  return value && `${value.text}: ${message(value)}`;
}

function wanted(kind: ValueKind | undefined, text: string): string | undefined {
  if (kind === "number" && parseNumber(text) === undefined) return NUMBER_WANTED;
  return kind === "boolean" && !isBoolean(text) ? "Enter true or false." : undefined;
}

/** Keeps the operator if the new attribute supports it. */
export function withAttribute(condition: DraftCondition, attribute: string): DraftCondition {
  const operators = operatorsOf(attribute);
  const operator = operators.includes(condition.operator) ? condition.operator : (operators[0] ?? "equals");
  return withOperator({ ...condition, attribute, isTyped: true }, operator);
}

/** Keeps the values, converted to the only kind that the new operator takes. */
export function withOperator(condition: DraftCondition, operator: Operator): DraftCondition {
  const kind = requiredKind(condition.attribute, operator);
  const values = kind ? condition.values.map((value) => ({ ...value, kind })) : condition.values;
  return { ...condition, operator, values };
}

/** The only kind of value that fits the attribute and the operator; undefined if there is a choice. */
export function requiredKind(attribute: string, operator: Operator): ValueKind | undefined {
  const operand = operandOf(operator);
  if (operand === "number") return "number";
  return operand === "any" || operand === "list" ? BUILT_IN[attribute]?.kind : "text";
}
