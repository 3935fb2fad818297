// Scheduled changes by day, in the reader's time zone.
import { dayKey, daysLater, formatNearDay, relativeDay } from "../../../parts/display/day.js";
import type { ApprovalSummary } from "../approvals.js";
import type { Entry } from "../entries.js";

type Change = Pick<ApprovalSummary, "scheduledFor">;

export interface Day<C> {
  /** `2026-11-30` */
  key: string;
  /** `Today`, `Tomorrow` or `Monday 30 November`. */
  title: string;
  /** `Monday 30 November`, where the title does not say so. */
  date: string | undefined;
  /** How many changes its entries are. */
  count: number;
  entries: Entry<C>[];
  /** How many days without changes are between it and the day with changes before it. */
  emptyDaysBefore: number;
}

const DAY_MS = 86_400_000;

/** The days with changes. The entries are in the order of their times. */
export function byDay<C extends Change>(entries: readonly Entry<C>[], now: Date): Day<C>[] {
  const days: Day<C>[] = [];
  for (const entry of entries) {
    const at = new Date(entry.first.scheduledFor ?? "");
    const key = dayKey(at);
    let day = days.at(-1);
    if (day?.key !== key) {
      const date = formatNearDay(at, now);
      const relative = relativeDay(at, now);
      const emptyDaysBefore = day ? daysBetween(day.key, key) - 1 : 0;
      day = { key, title: relative ?? date, date: relative && date, count: 0, entries: [], emptyDaysBefore };
      days.push(day);
    }
    day.entries.push(entry);
    day.count += entry.requests.length;
  }
  return days;
}

/** Both are read as midnight UTC: the difference has no hours, also where the clocks change in between. */
function daysBetween(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / DAY_MS;
}

export interface StripDay {
  key: string;
  at: Date;
}

/** Today and the days after it. */
export function daysFrom(now: Date, count: number): StripDay[] {
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12);
  return Array.from({ length: count }, (_, index) => {
    const at = daysLater(noon, index);
    return { key: dayKey(at), at };
  });
}
