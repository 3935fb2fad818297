// Converts an evaluation context to a user: `targetingKey` is the id, everything else an attribute.

import type { EvaluationContext, EvaluationContextValue } from "@openfeature/core";

type Value = string | number | boolean;

/** A user, as the clients accept them. */
export interface User {
  id?: string;
  attributes: Record<string, Value | Value[]>;
}

/** The user of a context; anonymous without a targeting key. Nested objects are dropped, because attributes are flat. */
export function toUser({ targetingKey, ...context }: EvaluationContext = {}): User {
  // An assignment to an attribute named __proto__ would drop it.
  const attributes: User["attributes"] = Object.fromEntries(
    Object.entries(context).flatMap(([name, value]) => {
      const attribute = Array.isArray(value) ? value.map(toValue).filter((item) => item !== undefined) : toValue(value);
      return attribute === undefined ? [] : [[name, attribute]];
    }),
  );
  return targetingKey ? { id: targetingKey, attributes } : { attributes };
}

function toValue(value: EvaluationContextValue): Value | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
