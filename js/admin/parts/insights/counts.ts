// Numbers of evaluations as text.

const NUMBER = new Intl.NumberFormat("en-GB");
// British English writes `m`.
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const PERCENT = new Intl.NumberFormat("en-GB", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** `12,345` */
export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** `12.3K`: where there is little room. */
export function formatCompactCount(count: number): string {
  return COMPACT.format(count);
}

/** `1,234 evaluations` */
export function formatEvaluations(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "evaluation" : "evaluations"}`;
}

/** `12.5%` */
export function formatShare(share: number): string {
  return PERCENT.format(share);
}
