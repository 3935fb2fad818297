// The hours and days of insights, and how they are written. Hours are in the reader's time zone, days are days in UTC.
import type { Insights, Period } from "./use-insights.js";

export type Span = "hours" | "days";

const HOUR_MS = 3_600_000;

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY_OF_HOUR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `10:00`, or `26 Nov`: below a bar. */
export function shortLabel(span: Span, { startsAt }: Period): string {
  return (span === "hours" ? TIME : DAY).format(new Date(startsAt));
}

/** `26 Nov, 10:00 to 11:00`, or `26 Nov`. */
export function longLabel(span: Span, { startsAt }: Period): string {
  const start = new Date(startsAt);
  if (span === "days") return DAY.format(start);
  const end = new Date(start.getTime() + HOUR_MS);
  return `${DAY_OF_HOUR.format(start)}, ${TIME.format(start)} to ${TIME.format(end)}`;
}

export function periodsOf(insights: Insights, span: Span): readonly Period[] {
  return insights[span];
}

/** Every sixth hour, every seventh day. */
const LABEL_STEP: Record<Span, number> = { hours: 6, days: 7 };

/** The indexes of the bars with a label: the last one, and some before it. */
export function labelled(span: Span, count: number): number[] {
  const step = LABEL_STEP[span];
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).reverse();
}
