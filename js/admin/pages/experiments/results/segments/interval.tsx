// The interval of one row as a picture. All rows have the same scale, so that their lines at zero are below each other.
import type { Comparison } from "../answers.js";
import { formatTick } from "../numbers.js";
import { type Scale, saysNothing, scaleBetween } from "../scale.js";
import type { Row } from "./rows.js";

/** How many times as wide as without the intervals of segments the picture becomes for them. The rest is cut off. */
const EXTRA = 2;

/** The whole result, all estimates and zero are shown. Undefined while there is nothing to draw. */
export function scaleOfRows(rows: readonly Row[]): Scale | undefined {
  const said = rows.map(({ comparison }) => comparison).filter((comparison) => !saysNothing(comparison));
  if (said.length === 0) return undefined;
  const whole = rows.filter(({ segment, comparison }) => segment === undefined && !saysNothing(comparison));
  const ends = whole.flatMap(({ comparison: { lower, upper } }) => [lower, upper]);
  const needed = [0, ...said.map(({ estimate }) => estimate ?? 0), ...ends];
  const [bottom, top] = [Math.min(...needed), Math.max(...needed)];
  const extra = EXTRA * (top - bottom || 0.02);
  const lowest = Math.max(Math.min(bottom, ...said.map(({ lower }) => lower)), bottom - extra);
  const highest = Math.min(Math.max(top, ...said.map(({ upper }) => upper)), top + extra);
  return scaleBetween(lowest, highest);
}

/** From the left, in percent. */
function across(scale: Scale, difference: number): number {
  return Math.min(100, Math.max(0, 100 - scale.at(difference)));
}

/** The numbers are beside it. */
export function Interval({ comparison, scale }: { comparison: Comparison; scale: Scale }) {
  const { estimate, lower, upper } = comparison;
  const [left, right] = [across(scale, lower), across(scale, upper)];
  const isShown = (difference: number) => scale.at(difference) >= 0 && scale.at(difference) <= 100;
  return (
    <span className="experiments-interval" aria-hidden="true">
      <span className="experiments-interval-zero" style={{ insetInlineStart: `${across(scale, 0)}%` }} />
      {!saysNothing(comparison) && (
        <svg className="experiments-lines" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className="experiments-band" d={`M${left} 0H${right}V100H${left}Z`} />
          {/* Only an end that the picture shows has a line. */}
          {[lower, upper].filter(isShown).map((end) => (
            <path key={end} className="experiments-line" d={`M${across(scale, end)} 0V100`} />
          ))}
          <path className="experiments-dots" d={`M${across(scale, estimate ?? 0)} 50h0`} />
        </svg>
      )}
      <Ticks scale={scale} />
    </span>
  );
}

const NEAR = 20;

/** Both ends of the scale, and zero. An end close to zero has none. */
export function Ticks({ scale }: { scale: Scale }) {
  const zero = across(scale, 0);
  const ends = [scale.ticks[0] ?? 0, scale.ticks.at(-1) ?? 0];
  const shown = [0, ...ends.filter((end) => Math.abs(across(scale, end) - zero) > NEAR)];
  return (
    <span className="experiments-interval-ticks" aria-hidden="true">
      {shown.map((tick) => (
        <span key={tick} style={{ insetInlineStart: `${across(scale, tick)}%` }}>
          {formatTick(tick)}
        </span>
      ))}
    </span>
  );
}
