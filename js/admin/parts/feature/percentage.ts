// Percentages as text, in steps of 0.001.

/** `33.333`, without trailing zeros. */
export function formatThousandths(thousandths: number): string {
  const sign = thousandths < 0 ? "-" : "";
  const size = Math.abs(thousandths);
  const decimals = String(size % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${sign}${Math.floor(size / 1000)}${decimals && `.${decimals}`}`;
}

export function formatPercentage(percentage: number): string {
  return formatThousandths(Math.round(percentage * 1000));
}
