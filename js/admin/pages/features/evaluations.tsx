// The column with the evaluations of the last 24 hours: a bar for each hour, the sum, and whether the feature is stale.
import { formatCompactCount, formatEvaluations } from "../../parts/insights/counts.js";
import type { Column } from "../../parts/list/table.js";
import type { Environment, Feature } from "./features.js";
import type { Insights } from "./insights.js";

/** In units of the picture. */
const BAR = 3;
const STEP = 4;
const HEIGHT = 20;

export function evaluationsColumn(environment: Environment, insights: Insights): Column<Feature> {
  return {
    key: "evaluations",
    header: "Evaluations",
    headerCell: (
      <span title={`Evaluations of the last 24 hours in ${environment.name}`}>
        Evaluations
        <span className="visually-hidden"> of the last 24 hours in {environment.name}</span>
      </span>
    ),
    // A card has no header.
    cardLabel: `Evaluations in ${environment.name}`,
    width: "5.5rem",
    cell: (feature) => <Evaluations feature={feature} insights={insights} />,
  };
}

/** Always of the same size. */
function Evaluations({ feature, insights }: { feature: Feature; insights: Insights }) {
  return (
    <span className="features-evaluations">
      {/* The server counts nothing for them. */}
      {feature.lifecycle !== "Archived" && <CountedEvaluations feature={feature} insights={insights} />}
    </span>
  );
}

function CountedEvaluations({ feature, insights: { byFeature, isError } }: { feature: Feature; insights: Insights }) {
  if (isError) return <span className="features-evaluations-sum">Not known</span>;
  if (!byFeature) return null;
  const { hours = [], stale } = byFeature.get(feature.key) ?? {};
  const sum = hours.reduce((all, count) => all + count, 0);
  const text = sum === 0 ? "No evaluations in 24 hours" : `${formatEvaluations(sum)} in 24 hours`;
  return (
    <>
      <Sparkline label={text} hours={hours} />
      <span className="features-evaluations-sum" title={text}>
        <span aria-hidden="true">{sum === 0 ? "None" : formatCompactCount(sum)}</span>
        {stale && <span className="features-stale">Stale</span>}
      </span>
    </>
  );
}

function Sparkline({ label, hours }: { label: string; hours: readonly number[] }) {
  return (
    <svg
      className="features-sparkline"
      viewBox={`0 0 ${STEP * 24 - (STEP - BAR)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className="features-sparkline-hours" d={barsPath(hours)} />
      <path className="features-sparkline-line" d={`M0 ${HEIGHT - 0.5}H${STEP * 24}`} />
    </svg>
  );
}

/** The highest bar is as high as the picture, and any other at least visible. */
function barsPath(hours: readonly number[]): string {
  const most = Math.max(...hours, 1);
  return hours
    .map((count, index) => {
      const height = count === 0 ? 0 : Math.max((HEIGHT * count) / most, 2);
      return count === 0 ? "" : `M${STEP * index} ${HEIGHT}v${-Math.round(height * 10) / 10}h${BAR}V${HEIGHT}z`;
    })
    .join("");
}
