// The lines and areas of the picture, as paths in percent of its width and height.
import { type Day, type Scale, saysNothing } from "./scale.js";

/** A single day is as wide as this on both sides, in percent of the width. */
const ALONE = 4;

interface Point {
  x: number;
  day: Day;
}

/** The days that say something, with their place from the left. */
function pointsOf(days: readonly Day[], places: readonly number[]): Point[] {
  return days.map((day, index) => ({ x: places[index] ?? 0, day })).filter(({ day }) => !saysNothing(day));
}

/** The intervals, cut off at the edges of the picture. */
export function bandPath(days: readonly Day[], places: readonly number[], { at }: Scale): string {
  const points = pointsOf(days, places);
  const [only] = points;
  const wide = points.length === 1 && only ? [-ALONE, ALONE].map((aside) => ({ ...only, x: only.x + aside })) : points;
  const cut = (difference: number) => Math.min(100, Math.max(0, at(difference)));
  const upper = wide.map(({ x, day }) => `${x} ${cut(day.upper)}`);
  const lower = wide.map(({ x, day }) => `${x} ${cut(day.lower)}`).reverse();
  return upper.length === 0 ? "" : `M${[...upper, ...lower].join("L")}Z`;
}

export function linePath(days: readonly Day[], places: readonly number[], { at }: Scale): string {
  const points = pointsOf(days, places).map(({ x, day }) => `${x} ${at(day.estimate ?? 0)}`);
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** Lines without length: their round ends are dots, however the picture is stretched. */
export function dotsPath(days: readonly Day[], places: readonly number[], { at }: Scale): string {
  return pointsOf(days, places)
    .map(({ x, day }) => `M${x} ${at(day.estimate ?? 0)}h0`)
    .join("");
}
