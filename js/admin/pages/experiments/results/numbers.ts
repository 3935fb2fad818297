// Numbers of results as text. A difference of rates is in percentage points, which pages call points.

const COUNT = new Intl.NumberFormat("en-GB");
const PERCENT = new Intl.NumberFormat("en-GB", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const SMALL_PERCENT = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 });
const POINTS = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const SMALL_POINTS = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 2 });
const ABOUT = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 2 });
const MINUS = "\u2212";

/** `4,980` */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** `2,400` of 2,413: what is not known exactly. */
export function formatAbout(count: number): string {
  return ABOUT.format(count);
}

/** `10.0%`, or `0.25%` below 1%. */
export function formatRate(rate: number | null | undefined): string {
  if (rate === null || rate === undefined) return "–";
  return rate > 0 && rate < 0.01 ? SMALL_PERCENT.format(rate) : PERCENT.format(rate);
}

/** The size of a difference without its sign, in points: `2.1`, or up to two decimals below 1: `0.45`. */
export function formatPoints(difference: number): string {
  const points = Math.abs(difference) * 100;
  return points < 1 ? SMALL_POINTS.format(points) : POINTS.format(points);
}

/** With its sign: `+2.1`, `−0.45`, `0.0`. */
export function formatSigned(difference: number): string {
  const size = formatPoints(difference);
  if (size === "0.0") return size;
  return (difference < 0 ? MINUS : "+") + size;
}

/** `+5`, `−0.5`: without digits that say nothing. */
export function formatTick(difference: number): string {
  const size = Number(Math.abs(difference * 100).toPrecision(6));
  return size === 0 ? "0" : `${difference < 0 ? MINUS : "+"}${size}`;
}

/** `1 day`, `2.5 days` */
export function formatDays(days: number): string {
  const rounded = Math.round(days * 10) / 10;
  return rounded === 1 ? "1 day" : `${COUNT.format(rounded)} days`;
}
