// Percentages in steps of 0.001. They are whole numbers of thousandths here, so that sums are exact.
import { formatThousandths } from "../../../parts/feature/percentage.js";

export interface DraftSplit {
  id: string;
  variantKey: string;
  /** As typed. */
  percentage: string;
}

/** 100% in thousandths of a percent. */
export const WHOLE = 100_000;

/** In thousandths of a percent; undefined if invalid. Accepts a decimal comma as well as a point. */
export function parsePercentage(text: string): number | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match) return undefined;
  const thousandths = Number(match[1]) * 1000 + Number((match[2] ?? "").padEnd(3, "0"));
  return thousandths > WHOLE ? undefined : thousandths;
}

/** In thousandths; invalid percentages count as 0. */
export function sumOf(splits: readonly DraftSplit[]): number {
  return splits.reduce((sum, { percentage }) => sum + (parsePercentage(percentage) ?? 0), 0);
}

/** Divides a total in proportion to the weights. The remainder goes to those with the largest fractions. */
function divide(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((one, other) => one + other, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const parts = exact.map(Math.floor);
  const remainder = total - parts.reduce((one, other) => one + other, 0);
  const byFraction = exact
    .map((part, index) => ({ index, fraction: part - Math.floor(part) }))
    .sort((one, other) => other.fraction - one.fraction || one.index - other.index);
  for (const { index } of byFraction.slice(0, remainder)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

function withSizes(splits: readonly DraftSplit[], sizes: readonly number[]): DraftSplit[] {
  return splits.map((split, index) => ({ ...split, percentage: formatThousandths(sizes[index] ?? 0) }));
}

export function splitEvenly(splits: readonly DraftSplit[]): DraftSplit[] {
  return withSizes(
    splits,
    divide(
      WHOLE,
      splits.map(() => 1),
    ),
  );
}

/**
 * Makes the percentages add up to 100. What is missing goes to the variants at 0%, in equal parts. If none is at 0%, or
 * the sum is above 100%, all keep their proportions.
 */
export function fillTo100(splits: readonly DraftSplit[]): DraftSplit[] {
  const sizes = splits.map(({ percentage }) => parsePercentage(percentage) ?? 0);
  if (sizes.every((size) => size === 0)) return splitEvenly(splits);
  const missing = WHOLE - sumOf(splits);
  if (missing <= 0 || !sizes.includes(0)) return withSizes(splits, divide(WHOLE, sizes));
  const parts = divide(
    missing,
    sizes.map((size) => (size === 0 ? 1 : 0)),
  );
  return withSizes(
    splits,
    sizes.map((size, index) => size + (parts[index] ?? 0)),
  );
}
