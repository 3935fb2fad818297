// The entries by day, in the reader's time zone.
import type { Entry } from "./entry.js";

export interface Day {
  /** `2026-11-21` */
  key: string;
  /** `Today`, `Yesterday` or `Saturday 21 November 2026`. */
  title: string;
  entries: Entry[];
}

// Separate: browsers disagree about a comma between them.
const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "long" });
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });
/** Swedish dates are ISO dates. */
const KEY = new Intl.DateTimeFormat("sv", { dateStyle: "short" });

/** In the order of the entries, which are newest first. */
export function byDay(entries: readonly Entry[], now = new Date()): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const at = new Date(entry.at);
    const key = KEY.format(at);
    const last = days.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else days.push({ key, title: titleOf(at, now), entries: [entry] });
  }
  return days;
}

function titleOf(at: Date, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (KEY.format(at) === KEY.format(now)) return "Today";
  if (KEY.format(at) === KEY.format(yesterday)) return "Yesterday";
  return `${WEEKDAY.format(at)} ${DATE.format(at)}`;
}
