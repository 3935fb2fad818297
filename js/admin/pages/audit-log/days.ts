// The entries by day, in the reader's time zone.
import { dayKey, formatDay, relativeDay } from "../../parts/display/day.js";
import type { Entry } from "./entry.js";

export interface Day {
  /** `2026-11-21` */
  key: string;
  /** `Today`, `Yesterday` or `Saturday 21 November 2026`. */
  title: string;
  entries: Entry[];
}

/** In the order of the entries, which are newest first. */
export function byDay(entries: readonly Entry[], now = new Date()): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const at = new Date(entry.at);
    const key = dayKey(at);
    const last = days.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else days.push({ key, title: relativeDay(at, now) ?? formatDay(at), entries: [entry] });
  }
  return days;
}
