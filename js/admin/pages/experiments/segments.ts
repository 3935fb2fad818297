// The segments of an experiment are the values that its audience lists of an attribute.
import { formatValue } from "../../parts/conditions/description.js";
import type { Value } from "../../parts/conditions/draft.js";
import type { Audience } from "./experiments.js";

/** The values that an audience lists of an attribute: those of the first such condition, each once. */
export function listedValues(audience: Audience | undefined, attribute: string): Value[] {
  const list = audience?.conditions.find((one) => one.attribute === attribute && one.operator === "in");
  return [...new Set(list?.values)];
}

/** The names of segments. Text is quoted where it would look like a value of another type. */
export function namesOfSegments(values: readonly Value[]): string[] {
  const isAmbiguous = (value: Value) => values.some((other) => other !== value && String(other) === String(value));
  return values.map((value) => (value === "" || isAmbiguous(value) ? formatValue(value) : String(value)));
}
