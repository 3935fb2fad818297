// The evaluation context as a user: `targetingKey` is the id, and everything else an attribute.

import type { EvaluationContext, EvaluationContextValue } from "@openfeature/core";

type Value = string | number | boolean;

/** A user as our clients take it. */
export interface User {
  id?: string;
  attributes: Record<string, Value | Value[]>;
}

/** The user of a context. Attributes are flat: objects within are left out. Without a targeting key the user is anonymous. */
export function toUser({ targetingKey, ...context }: EvaluationContext = {}): User {
  const attributes: User["attributes"] = {};
  for (const [name, value] of Object.entries(context)) {
    const usable = Array.isArray(value) ? value.map(one).filter((each) => each !== undefined) : one(value);
    if (usable !== undefined) attributes[name] = usable;
  }
  return targetingKey ? { id: targetingKey, attributes } : { attributes };
}

function one(value: EvaluationContextValue): Value | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
