// A condition as text: `country is one of "SE", "NO"`.
import type { Condition, Value } from "./draft.js";
import { OPERATORS, takesList } from "./operators.js";

/** The values that the operator uses. */
export function usedValues({ operator, values }: Condition): Value[] {
  return (takesList(operator) ? values : values.slice(0, 1)) as Value[];
}

/** Text is quoted, so that "18" and 18 look different. */
export function formatValue(value: Value): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}

export function describeCondition(condition: Condition): string {
  const values = usedValues(condition).map(formatValue).join(", ");
  return `${condition.attribute} ${OPERATORS[condition.operator]} ${values || "nothing"}`;
}
