// The numbers of the bars, shown on request.
import { formatCount } from "../../../parts/insights/counts.js";
import type { BarsProps } from "./bars.js";
import { longLabel } from "./periods.js";
import { countOf } from "./totals.js";

export function PeriodsTable({ span, periods, variants }: BarsProps) {
  const unit = span === "hours" ? "hour" : "day";
  return (
    <details className="insights-numbers">
      <summary>Numbers by {unit}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with many variants it is scrolled to the side, with the keyboard as well */}
      <section className="insights-scroll" aria-label={`Numbers by ${unit}`} tabIndex={0}>
        <table>
          <caption className="visually-hidden">Evaluations by {unit} and variant</caption>
          <thead>
            <tr>
              <th scope="col">{span === "hours" ? "Hour" : "Day (UTC)"}</th>
              <th scope="col">All</th>
              {variants.map((variant) => (
                <th key={variant} scope="col">
                  <code>{variant}</code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {periods.map((period) => (
              <tr key={period.startsAt}>
                <th scope="row">
                  <time dateTime={period.startsAt}>{longLabel(span, period)}</time>
                </th>
                <td>{formatCount(countOf(period))}</td>
                {variants.map((variant) => (
                  <td key={variant}>{formatCount(countOf(period, variant))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
