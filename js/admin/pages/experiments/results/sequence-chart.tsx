// The confidence sequence over the days: the difference of a variant from the control, with its interval and a line at zero.
// Lines and areas stretch with the window; texts are beside them, and keep their size.
import { useId } from "react";
import type { Results } from "../experiments.js";
import { formatDay } from "./days.js";
import { DaysTable } from "./days-table.js";
import { formatPoints, formatSigned, formatTick } from "./numbers.js";
import { bandPath, dotsPath, linePath } from "./paths.js";
import { type Day, labelledDays, placesOf, saysNothing, scaleOf } from "./scale.js";

interface SequenceChartProps {
  variant: string;
  control: string;
  goal: string;
  days: Results["days"];
}

export function SequenceChart({ variant, control, goal, days }: SequenceChartProps) {
  const own = daysOf(days, variant);
  return (
    <figure className="experiments-chart">
      <figcaption className="experiments-chart-title">
        <code>
          <bdi>{goal}</bdi>
        </code>{" "}
        with <bdi>{variant}</bdi> compared with <bdi>{control}</bdi>, in points
      </figcaption>
      {own.every(saysNothing) ? (
        <p className="experiments-chart-empty note">The picture begins on the first day with enough conversions.</p>
      ) : (
        <Plot title={`${goal}: ${variant} minus ${control} by day`} days={own} />
      )}
      <ul className="experiments-legend note" aria-hidden="true">
        <li>
          <span className="experiments-legend-line" /> difference seen
        </li>
        <li>
          <span className="experiments-legend-band" /> 95% confidence sequence, which holds for all days together
        </li>
      </ul>
      <DaysTable days={days} variant={variant} control={control} />
    </figure>
  );
}

function Plot({ title, days }: { title: string; days: readonly Day[] }) {
  const id = useId();
  const scale = scaleOf(days);
  const places = placesOf(days);
  return (
    <div className="experiments-plot">
      <ol className="experiments-ticks" aria-hidden="true">
        {scale.ticks.map((tick) => (
          <li key={tick} style={{ top: `${scale.at(tick)}%` }}>
            {formatTick(tick)}
          </li>
        ))}
      </ol>
      <svg
        className="experiments-lines"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title ${id}-text`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{description(days)}</desc>
        {scale.ticks.map((tick) => (
          <path key={tick} className="experiments-grid" d={`M0 ${scale.at(tick)}H100`} />
        ))}
        <path className="experiments-band" d={bandPath(days, places, scale)} />
        <path className="experiments-zero" d={`M0 ${scale.at(0)}H100`} />
        <path className="experiments-line" d={linePath(days, places, scale)} />
        <path className="experiments-dots" d={dotsPath(days, places, scale)} />
      </svg>
      <ol className="experiments-days" aria-hidden="true">
        {labelledDays(days.length).map((index) => (
          <li key={days[index]?.day} style={{ insetInlineStart: `${places[index]}%` }}>
            {formatDay(days[index]?.day ?? "")}
          </li>
        ))}
      </ol>
    </div>
  );
}

function daysOf(days: Results["days"], variant: string): Day[] {
  return days.flatMap(({ day, comparisons }) =>
    comparisons.filter(({ variantKey }) => variantKey === variant).map((difference) => ({ ...difference, day })),
  );
}

function description(days: readonly Day[]): string {
  const last = days.at(-1);
  if (!last) return "";
  const { day, estimate, lower, upper } = last;
  const seen = `${formatPoints(estimate ?? 0)} points ${(estimate ?? 0) < 0 ? "less" : "more"}`;
  return `On ${formatDay(day)}: ${seen}, between ${formatSigned(lower)} and ${formatSigned(upper)}.`;
}
