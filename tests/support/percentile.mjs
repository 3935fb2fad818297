// The nearest-rank percentile of a list of numbers.

/** The value below or at which this share of the numbers lies; `share` is between 0 and 1. */
export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
