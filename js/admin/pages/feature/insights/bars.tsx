// A bar for each hour or day, in which the variants are stacked. The numbers of a bar are shown while the pointer is over it, and the arrow
// keys go from bar to bar.
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { variantLook } from "../../../parts/feature/variant-look.js";
import { VariantSwatch } from "../../../parts/feature/variant-swatch.js";
import { formatCompactCount, formatCount, formatEvaluations } from "../../../parts/insights/counts.js";
import { labelled, longLabel, type Span, shortLabel } from "./periods.js";
import { ticksUpTo } from "./scale.js";
import { countOf } from "./totals.js";
import type { Period } from "./use-insights.js";

export interface BarsProps {
  span: Span;
  periods: readonly Period[];
  /** All variants, in the order in which they are stacked. */
  variants: readonly string[];
}

export function Bars({ span, periods, variants }: BarsProps) {
  const ticks = ticksUpTo(Math.max(...periods.map((period) => countOf(period)), 1));
  const top = ticks.at(-1) ?? 1;
  const { chosen, handlers } = useChosen(periods.length);
  const last = periods.length - 1;
  const read = periods[chosen ?? last];
  return (
    <div className="insights-plot">
      <Ticks ticks={ticks} />
      <div
        className="insights-bars"
        role="slider"
        tabIndex={0}
        aria-label={span === "hours" ? "Evaluations by hour" : "Evaluations by day"}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={read && textOf({ span, variants }, read)}
        {...handlers}
      >
        {periods.map((period, index) => (
          <span key={period.startsAt} className="insights-bar" data-chosen={index === chosen || undefined}>
            {variants.map((variant) => (
              <Segment key={variant} share={countOf(period, variant) / top} look={variantLook(variant, variants)} />
            ))}
          </span>
        ))}
      </div>
      <ol className="insights-times" aria-hidden="true">
        {labelled(span, periods.length).map((index) => (
          <li key={index} style={{ insetInlineStart: `${(100 * (index + 0.5)) / periods.length}%` }}>
            {periods[index] && shortLabel(span, periods[index])}
          </li>
        ))}
      </ol>
      {chosen !== undefined && read && (
        <Readout key={read.startsAt} {...{ span, variants }} period={read} place={chosen / Math.max(last, 1)} />
      )}
    </div>
  );
}

function Ticks({ ticks }: { ticks: readonly number[] }) {
  const top = ticks.at(-1) ?? 1;
  return (
    <ol className="insights-ticks" aria-hidden="true">
      {ticks.map((tick) => (
        <li key={tick} style={{ insetBlockEnd: `${(100 * tick) / top}%` }}>
          <span>{formatCompactCount(tick)}</span>
        </li>
      ))}
    </ol>
  );
}

function Segment({ share, look }: { share: number; look: string }) {
  return share > 0 && <span className={`insights-segment ${look}`} style={{ height: `${100 * share}%` }} />;
}

interface ReadoutProps extends Pick<BarsProps, "span" | "variants"> {
  period: Period;
  /** From the left, 0 to 1. */
  place: number;
}

/**
 * Above its bar, and inside the picture at its ends. A translation moves it, so that nothing is laid out again, and each bar has its own:
 * numbers of another width would be a layout shift.
 */
function Readout({ span, variants, period, place }: ReadoutProps) {
  return (
    <div className="insights-readout" aria-hidden="true" style={{ translate: `calc(${place} * (100cqi - 100%))` }}>
      <p>{longLabel(span, period)}</p>
      <p className="insights-readout-sum">{formatEvaluations(countOf(period))}</p>
      <ul>
        {variants.map((variant) => (
          <li key={variant}>
            <VariantSwatch variant={variant} variants={variants} />
            <code>{variant}</code>
            <span>{formatCount(countOf(period, variant))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `26 Nov, 10:00 to 11:00: 123 evaluations, on 120, off 3` */
function textOf({ span, variants }: Pick<BarsProps, "span" | "variants">, period: Period): string {
  const counts = variants.map((variant) => `${variant} ${formatCount(countOf(period, variant))}`);
  return `${longLabel(span, period)}: ${formatEvaluations(countOf(period))}, ${counts.join(", ")}`;
}

/** The bar whose numbers are shown. */
function useChosen(count: number) {
  const [chosen, setChosen] = useState<number>();
  const last = count - 1;
  const choose = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.max(0, Math.min(last, Math.floor((count * (clientX - left)) / width))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = chosen ?? last;
    const places: Record<string, number | undefined> = {
      ArrowLeft: Math.max(now - 1, 0),
      ArrowDown: Math.max(now - 1, 0),
      ArrowRight: Math.min(now + 1, last),
      ArrowUp: Math.min(now + 1, last),
      Home: 0,
      End: last,
      Escape: undefined,
    };
    if (!(event.key in places)) return;
    event.preventDefault();
    setChosen(places[event.key]);
  };
  return {
    chosen,
    handlers: {
      onKeyDown,
      onPointerDown: choose,
      onPointerMove: choose,
      // A finger that is lifted leaves, too: the numbers stay until another place is touched.
      onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === "mouse" && setChosen(undefined),
      onFocus: () => setChosen((now) => now ?? last),
      onBlur: () => setChosen(undefined),
    },
  };
}
