// Where the days and differences of the picture are, in percent of its width and height.
import type { components } from "../../../api/schema.js";

type Difference = components["schemas"]["ExperimentDifference"];

export interface Day extends Difference {
  /** The beginning of the day in UTC. */
  day: string;
}

/** The interval of a day on which there were too few conversions to say anything. */
export function saysNothing({ lower, upper }: Difference): boolean {
  return lower <= -1 && upper >= 1;
}

/** Beside the first and the last day, in percent. */
const MARGIN = 6;

/** Where each day is, from the left. */
export function placesOf(days: readonly { day: string }[]): number[] {
  const times = days.map(({ day }) => Date.parse(day));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const width = 100 - 2 * MARGIN;
  return times.map((time) => (last === first ? 50 : MARGIN + (width * (time - first)) / (last - first)));
}

const MAX_LABELS = 5;

/** The indexes of the days that have a label: the first, the last, and some between them. */
export function labelledDays(count: number): number[] {
  const step = Math.ceil((count - 1) / (MAX_LABELS - 1)) || 1;
  const fromLast = Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step);
  return fromLast.reverse();
}

export interface Scale {
  /** Differences with a line across the picture. */
  ticks: readonly number[];
  /** Where a difference is, from the top; outside 0 to 100 if the picture does not show it. */
  at: (difference: number) => number;
}

/** How much of what is shown the wide intervals of the first days may add. */
const EXTRA = 0.5;
const TICKS = 4;

/** The last interval, all estimates and zero are shown. The intervals of the first days are much wider, and are cut off. */
export function scaleOf(all: readonly Day[]): Scale {
  const days = all.filter((day) => !saysNothing(day));
  const last = days.at(-1);
  const needed = [0, ...days.map(({ estimate }) => estimate ?? 0), ...(last ? [last.lower, last.upper] : [])];
  const [bottom, top] = [Math.min(...needed), Math.max(...needed)];
  const extra = (top - bottom || 0.02) * EXTRA;
  const lowest = Math.max(Math.min(bottom, ...days.map(({ lower }) => lower)), bottom - extra);
  const highest = Math.min(Math.max(top, ...days.map(({ upper }) => upper)), top + extra);
  return scaleBetween(lowest, highest);
}

/** A scale with round ticks that shows both differences. */
export function scaleBetween(lowest: number, highest: number): Scale {
  const step = roundStep((highest - lowest || 0.02) / TICKS);
  const [from, to] = [Math.floor(lowest / step), Math.ceil(highest / step)];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { ticks, at: (difference) => (100 * (to * step - difference)) / ((to - from) * step) };
}

/** 1, 2 or 5 times a power of ten, at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= step * 0.999) ?? 10);
}
