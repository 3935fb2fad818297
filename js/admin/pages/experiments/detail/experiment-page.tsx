// One experiment: its state, its results, and what it measures.
import { Link } from "wouter";
import { useAudiences, useEnvironments, useFeatures } from "../../../api/projects.js";
import { hasFailed } from "../../../api/queries.js";
import { ProductionChip } from "../../../parts/display/chip.js";
import { ErrorState, Skeleton } from "../../../parts/feedback/state.js";
import { Page } from "../../../parts/layout/page.js";
import { Key } from "../../../parts/list/name-cell.js";
import { type Place, useExperiment, useResults } from "../experiments.js";
import { ResultsOf } from "../results/results.js";
import { StateChip } from "../state-chip.js";
import { Actions } from "./actions.js";
import { DesignSection } from "./design-section.js";
import { GuardTrips } from "./guard-trips.js";
import { StateBanner } from "./state-banner.js";

interface ExperimentPageProps {
  project: string;
  environmentKey: string;
  experimentKey: string;
}

export function ExperimentPage({ project, environmentKey, experimentKey }: ExperimentPageProps) {
  const place: Place = { project, environment: environmentKey, experiment: experimentKey };
  const stored = useExperiment(place);
  const features = useFeatures(project);
  const environments = useEnvironments(project);
  const audiences = useAudiences(project);
  const experiment = stored.data?.value;
  const results = useResults(place, experiment?.state);
  const queries = [stored, features, environments, audiences];
  const failed = queries.find(hasFailed);
  if (failed) {
    return (
      <Page title="Experiment">
        <ErrorState error={failed.error} onRetry={() => void Promise.all(queries.map((query) => query.refetch()))} />
      </Page>
    );
  }
  const feature = features.data?.find(({ key }) => key === experiment?.featureKey);
  const environment = environments.data?.find(({ key }) => key === environmentKey);
  if (!stored.data || !experiment || !feature || !environment || !audiences.data || results.isLoading) {
    return <Loading title={experiment?.name ?? experimentKey} />;
  }
  const audience = audiences.data.find(({ key }) => key === experiment.audienceKey);
  const targeting = `/projects/${project}/features/${feature.key}/environments/${environment.key}`;
  return (
    <Page
      title={experiment.name}
      badges={
        <>
          <Key>{experiment.key}</Key>
          <StateChip state={experiment.state} />
          {environment.production && <ProductionChip />}
        </>
      }
      description={
        <>
          With{" "}
          <Link href={targeting}>
            <bdi>{feature.name}</bdi>
          </Link>{" "}
          in <bdi>{environment.name}</bdi>
        </>
      }
      actions={<Actions {...{ place, environment, feature, targeting }} stored={stored.data} />}
    >
      <StateBanner experiment={experiment} targeting={targeting} />
      <GuardTrips project={project} experiment={experiment} />
      {experiment.state !== "draft" &&
        (results.data ? (
          <ResultsOf experiment={experiment} results={results.data.value} variants={feature.variants} />
        ) : (
          <ErrorState error={results.error} onRetry={() => void results.refetch()} />
        ))}
      <DesignSection experiment={experiment} variants={feature.variants} audience={audience} project={project} />
    </Page>
  );
}

/** Without what is beside the title, which is longer or shorter than the key. */
function Loading({ title }: { title: string }) {
  return (
    <Page title={title}>
      <div className="skeletons" aria-busy="true">
        <Skeleton width="100%" height="28rem" />
      </div>
    </Page>
  );
}
