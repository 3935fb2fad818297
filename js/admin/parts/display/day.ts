// Days in the reader's time zone, written for people.

// Separate: browsers disagree about a comma between them.
const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "long" });
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });
const DAY_AND_MONTH = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
/** Swedish dates are ISO dates. */
const KEY = new Intl.DateTimeFormat("sv", { dateStyle: "short" });

/** `2026-11-21` */
export function dayKey(at: Date): string {
  return KEY.format(at);
}

/** The same time of day so many days later, also where the clocks change in between. */
export function daysLater(at: Date, days: number): Date {
  const later = new Date(at);
  later.setDate(at.getDate() + days);
  return later;
}

/** `Today`, `Tomorrow` or `Yesterday`; undefined for every other day. */
export function relativeDay(at: Date, now: Date): string | undefined {
  const key = dayKey(at);
  if (key === dayKey(now)) return "Today";
  if (key === dayKey(daysLater(now, 1))) return "Tomorrow";
  return key === dayKey(daysLater(now, -1)) ? "Yesterday" : undefined;
}

/** `Saturday 21 November 2026` */
export function formatDay(at: Date): string {
  return `${WEEKDAY.format(at)} ${DATE.format(at)}`;
}

/** `Saturday 21 November`, with the year unless it is the one of `now`. */
export function formatNearDay(at: Date, now: Date): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return isThisYear ? `${WEEKDAY.format(at)} ${DAY_AND_MONTH.format(at)}` : formatDay(at);
}
