// Sums of evaluations: of a period, of a variant, of a kind of client.
import type { Period } from "./use-insights.js";

export interface Total {
  variant: string;
  browser: number;
  server: number;
  count: number;
  /** Of all evaluations; 0 if there are none. */
  share: number;
}

/** Of each variant, in this order. */
export function totalsOf(periods: readonly Period[], variants: readonly string[]): Total[] {
  const all = periods.flatMap(({ evaluations }) => evaluations);
  const sum = sumOf(periods);
  return variants.map((variant) => {
    const own = all.filter(({ variantKey }) => variantKey === variant);
    const browser = own.reduce((total, one) => total + one.browser, 0);
    const server = own.reduce((total, one) => total + one.server, 0);
    const count = browser + server;
    return { variant, browser, server, count, share: sum === 0 ? 0 : count / sum };
  });
}

export function sumOf(periods: readonly Period[]): number {
  return periods.reduce((sum, period) => sum + countOf(period), 0);
}

/** Of one variant, or of all. */
export function countOf({ evaluations }: Period, variant?: string): number {
  return evaluations.reduce((sum, { variantKey, browser, server }) => {
    return variant === undefined || variantKey === variant ? sum + browser + server : sum;
  }, 0);
}

/** The feature's variants, and after them those that were evaluated and are removed now. */
export function withRemoved(known: readonly string[], periods: readonly Period[]): string[] {
  const found = new Set(periods.flatMap(({ evaluations }) => evaluations.map(({ variantKey }) => variantKey)));
  return [...known, ...[...found].filter((variant) => !known.includes(variant)).sort()];
}
