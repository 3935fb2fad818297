// Goal events by the variants of one feature in one environment, as a chart with its numbers.
import { useMemo } from "react";
import { useParams } from "wouter";
import { useEnvironments, useFeatures } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { NoEnvironments } from "../../parts/feedback/no-environments.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { GoalChart } from "./goal-chart.js";
import { countByVariant, type Goal, withRemoved } from "./goals.js";
import { Pickers } from "./pickers.js";
import { useSelection } from "./use-selection.js";

export function Component() {
  const { project = "" } = useParams();
  const environments = useEnvironments(project);
  const features = useFeatures(project);
  const selection = useSelection(project, environments.data, features.data);
  const { environment, feature, goals } = selection;
  const queries = [environments, features, goals];
  const failed = queries.find(hasFailed);
  const loading = !environments.data || !features.data || (environment && !goals.data);
  return (
    <Page
      title="Goals"
      description="Goal events, by the variant that users had at the time. Larger groups naturally have more conversions."
    >
      <Pickers environments={environments.data} selection={selection} />
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all(queries.map((query) => query.refetch()))} />
      ) : loading ? (
        <div className="skeletons" aria-busy="true">
          <Skeleton width="100%" height="28rem" />
        </div>
      ) : !environment ? (
        <NoEnvironments project={project}>Goal events belong to an environment.</NoEnvironments>
      ) : !feature ? (
        <EmptyState icon="goals" title="No goal events yet">
          Clients send them with <code>goal("purchase")</code>. Each event counts for all features that the user has.
        </EmptyState>
      ) : (
        <ByVariant
          key={feature.key}
          feature={feature}
          environmentName={environment.name}
          goals={goals.data ?? []}
          variants={features.data?.find(({ key }) => key === feature.key)?.variants ?? []}
        />
      )}
    </Page>
  );
}

interface ByVariantProps {
  feature: { key: string; name: string };
  environmentName: string;
  goals: readonly Goal[];
  /** In the feature's order. */
  variants: readonly string[];
}

function ByVariant({ feature, environmentName, goals, variants }: ByVariantProps) {
  const counts = useMemo(() => countByVariant(goals, feature.key, variants), [goals, feature.key, variants]);
  const allVariants = useMemo(() => withRemoved(variants, counts), [variants, counts]);
  return (
    <Section title="By variant">
      <GoalChart counts={counts} variants={allVariants} title={`${feature.name} in ${environmentName}`} />
    </Section>
  );
}
