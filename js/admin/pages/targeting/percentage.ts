// Percentages in steps of 0.001, counted in whole thousandths so that sums are exact.

export interface DraftSplit {
  id: string;
  variantKey: string;
  /** As it was typed. */
  percentage: string;
}

export const WHOLE = 100_000;

/** Thousandths of a percent; undefined when it is no percentage. A decimal comma is as good as a point. */
export function parsePercentage(text: string): number | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match) return undefined;
  const thousandths = Number(match[1]) * 1000 + Number((match[2] ?? "").padEnd(3, "0"));
  return thousandths > WHOLE ? undefined : thousandths;
}

/** `33.333`, without zeros at the end. */
export function formatThousandths(thousandths: number): string {
  const sign = thousandths < 0 ? "-" : "";
  const size = Math.abs(thousandths);
  const rest = String(size % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${sign}${Math.floor(size / 1000)}${rest && `.${rest}`}`;
}

export function draftPercentage(percentage: number): string {
  return formatThousandths(Math.round(percentage * 1000));
}

export function sumOf(splits: readonly DraftSplit[]): number {
  return splits.reduce((sum, { percentage }) => sum + (parsePercentage(percentage) ?? 0), 0);
}

/** Shares of the whole in the proportion of these weights; what cannot be divided goes to those that lose most. */
function shares(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((one, other) => one + other, 0);
  const exact = weights.map((weight) => (whole * weight) / sum);
  const floors = exact.map(Math.floor);
  const left = whole - floors.reduce((one, other) => one + other, 0);
  const byLoss = exact
    .map((share, index) => ({ index, loss: share - Math.floor(share) }))
    .sort((one, other) => other.loss - one.loss || one.index - other.index);
  for (const { index } of byLoss.slice(0, left)) floors[index] = (floors[index] ?? 0) + 1;
  return floors;
}

/** Everybody the same. */
export function evenly(splits: readonly DraftSplit[]): DraftSplit[] {
  const parts = shares(
    WHOLE,
    splits.map(() => 1),
  );
  return splits.map((split, index) => ({ ...split, percentage: formatThousandths(parts[index] ?? 0) }));
}

/**
 * What is missing goes to those that have nothing yet, in equal parts; when all have something, or there is too much, all
 * keep their proportion.
 */
export function spread(splits: readonly DraftSplit[]): DraftSplit[] {
  const sizes = splits.map(({ percentage }) => parsePercentage(percentage) ?? 0);
  const missing = WHOLE - sumOf(splits);
  const blank = sizes.map((size) => (size === 0 ? 1 : 0));
  const anyBlank = blank.some((weight) => weight > 0);
  if (sizes.every((size) => size === 0)) return evenly(splits);
  const parts =
    missing > 0 && anyBlank
      ? shares(missing, blank).map((part, index) => part + (sizes[index] ?? 0))
      : shares(WHOLE, sizes);
  return splits.map((split, index) => ({ ...split, percentage: formatThousandths(parts[index] ?? 0) }));
}
