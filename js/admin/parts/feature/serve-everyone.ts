// The rule that serves one variant to everyone: what turning on usually means.
import type { components } from "../../api/schema.js";

/** `on`, or the first variant besides the off variant. */
export function variantForEveryone(variants: readonly string[], offVariant: string): string {
  const others = variants.filter((variant) => variant !== offVariant);
  return others.find((variant) => variant === "on") ?? others[0] ?? offVariant;
}

export function ruleForEveryone(variantKey: string): components["schemas"]["Rule"] {
  return { conditions: [], splits: [{ variantKey, percentage: 100 }] };
}
