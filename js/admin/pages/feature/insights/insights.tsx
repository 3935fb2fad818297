// How the feature is used in an environment: evaluations by variant and by kind of client, when it was seen, and whether it is stale.
import { useMemo } from "react";
import { SegmentedControl } from "../../../parts/choice/segmented-control.js";
import { formatTime } from "../../../parts/display/time.js";
import { EmptyState, ErrorState, Skeleton } from "../../../parts/feedback/state.js";
import { Section } from "../../../parts/layout/page.js";
import { useUrlFilter } from "../../../parts/list/filter.js";
import type { Environment } from "../feature.js";
import type { FeatureData } from "../use-feature-page.js";
import { Bars } from "./bars.js";
import { periodsOf, type Span } from "./periods.js";
import { PeriodsTable } from "./periods-table.js";
import { StaleNotice } from "./stale-notice.js";
import { sumOf, totalsOf, withRemoved } from "./totals.js";
import { TotalsTable } from "./totals-table.js";
import type { Insights as InsightsData, InsightsQuery } from "./use-insights.js";

const SPANS: readonly { key: Span; label: string }[] = [
  { key: "hours", label: "24 hours" },
  { key: "days", label: "30 days" },
];

interface InsightsProps {
  data: FeatureData;
  environment: Environment;
  insights: InsightsQuery;
}

export function Insights({ data, environment, insights }: InsightsProps) {
  const [params, setParams] = useUrlFilter();
  const span: Span = params.get("period") === "days" ? "days" : "hours";
  const value = insights.data?.value;
  return (
    <Section
      title="Insights"
      actions={
        value?.firstSeenAt && (
          <SegmentedControl
            label="Period"
            choices={SPANS}
            value={span}
            onChange={(key) => setParams({ period: key === "days" ? key : undefined })}
          />
        )
      }
    >
      {value ? (
        <>
          {value.stale && <StaleNotice data={data} environmentName={environment.name} stale={value.stale} />}
          {value.firstSeenAt ? (
            <Figures insights={value} span={span} known={data.feature.variants} />
          ) : (
            <NoEvaluations environmentName={environment.name} />
          )}
        </>
      ) : insights.isError ? (
        <ErrorState error={insights.error} onRetry={() => void insights.refetch()} />
      ) : (
        <Skeleton width="100%" height="17.5rem" />
      )}
    </Section>
  );
}

function NoEvaluations({ environmentName }: { environmentName: string }) {
  return (
    <EmptyState icon="goals" title="No evaluations yet" action={<a href="/docs/quick-start/">Connect your code</a>}>
      Services report which variants they evaluate in <bdi>{environmentName}</bdi>, and so does a sample of the pages in
      browsers. The first figures appear about a minute later.
    </EmptyState>
  );
}

interface FiguresProps {
  insights: InsightsData;
  span: Span;
  /** All variants of the feature, in its order. */
  known: readonly string[];
}

function Figures({ insights, span, known }: FiguresProps) {
  const { hours, days, firstSeenAt, lastSeenAt } = insights;
  const periods = periodsOf(insights, span);
  // The same for both spans, so that nothing moves when people switch between them.
  const variants = useMemo(() => withRemoved(known, [...hours, ...days]), [known, hours, days]);
  const spanName = span === "hours" ? "the last 24 hours" : "the last 30 days";
  return (
    <>
      <div className="insights-columns">
        <figure className="insights-figure" aria-label={`Evaluations by variant in ${spanName}`}>
          {sumOf(periods) === 0 ? (
            <p className="insights-none note">No evaluations in {spanName}.</p>
          ) : (
            <Bars key={span} {...{ span, periods, variants }} />
          )}
        </figure>
        <div className="insights-side">
          <TotalsTable spanName={spanName} totals={totalsOf(periods, variants)} />
          <dl className="insights-seen">
            <Seen term="First seen" at={firstSeenAt} />
            <Seen term="Last seen" at={lastSeenAt} />
          </dl>
        </div>
      </div>
      <PeriodsTable {...{ span, periods, variants }} />
      <p className="note">
        Figures of browsers are estimates from a sample of page views, each of which counts a feature once. Those of
        services are exact.
      </p>
    </>
  );
}

function Seen({ term, at }: { term: string; at: string | null | undefined }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{at ? <time dateTime={at}>{formatTime(at)}</time> : "Never"}</dd>
    </div>
  );
}
