// The features of a project: search, filter and order them, turn them on and off, create, tag, archive and restore them.
import { useMemo, useState } from "react";
import { useParams } from "wouter";
import { useEnvironments, usePipelines } from "../../api/projects.js";
import { type GrowingList, hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { deferredDialog } from "../../parts/dialog/deferred-dialog.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { FeatureTable } from "./feature-table.js";
import { type Environment, type Feature, useFeaturesWithStates } from "./features.js";
import { type FeatureFilter, matchesFilter, NO_FILTER, useFeatureFilter } from "./filter.js";
import { Filters } from "./filters.js";
import { type Insights, staleOf, useInsights } from "./insights.js";
import { usePreferences } from "./preferences.js";
import { sorted } from "./sort.js";

const CreateFeature = deferredDialog("New feature", async () => (await import("./dialogs.js")).CreateFeature);

export function Component() {
  const { project = "" } = useParams();
  const { user } = useSession();
  const [filter, setFilter] = useFeatureFilter();
  const [creating, setCreating] = useState(false);
  const features = useFeaturesWithStates(project);
  const environments = useEnvironments(project);
  const pipelines = usePipelines(project);
  const preferences = usePreferences(project);
  const { items, isComplete = false } = features.data ?? {};
  const insights = useInsights(project, environments.data, isComplete || filter.stale);
  const rows = useRows(features.data, filter, preferences.favourites, insights);
  // Without insights the list works, but not this filter.
  const queries = [features, environments, pipelines, ...(filter.stale ? [insights] : [])];
  const failed = queries.find(hasFailed);
  const createButton = hasRole(user.role, "editor") && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New feature
    </Button>
  );
  return (
    <Page
      title="Features"
      badges={isComplete && <Count visible={rows?.length} total={items?.length} />}
      actions={createButton}
    >
      <Filters filter={filter} onChange={setFilter} features={(isComplete && items) || []} preferences={preferences} />
      {filter.stale && <StaleExplanation environment={insights.environment} />}
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all(queries.map((query) => query.refetch()))} />
      ) : isComplete && items?.length === 0 ? (
        <EmptyState icon="features" title="No features yet" action={createButton}>
          A feature can be on or off, for everyone or for some users.
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No matching features"
          action={<Button onPress={() => setFilter(NO_FILTER)}>Clear filters</Button>}
        >
          None of the {items?.length} features in this project match the filters.
        </EmptyState>
      ) : (
        <FeatureTable
          project={project}
          features={items}
          rows={rows}
          isComplete={isComplete}
          environments={environments.data}
          pipelines={pipelines.data}
          {...{ preferences, insights }}
          withAdvice={filter.stale}
        />
      )}
      {creating && <CreateFeature project={project} onClose={() => setCreating(false)} />}
    </Page>
  );
}

/**
 * The features that the filter shows, in its order; undefined while they, or the insights that it needs, are loading.
 * The same list as long as nothing of it changes.
 * While features are read, those that follow only go below the others: in any other order they would move them.
 */
function useRows(
  features: GrowingList<Feature> | undefined,
  { search, lifecycle, tag, owner, favourites: onlyFavourites, stale, sort }: FeatureFilter,
  favourites: ReadonlySet<string>,
  insights: Insights,
) {
  // The list that does not need insights stays the same when they are there.
  const needed = stale ? insights : undefined;
  return useMemo(() => {
    const filter = { search, lifecycle, tag, owner, favourites: onlyFavourites, stale, sort };
    if (!features || (!features.isComplete && sort) || (needed && !needed.byFeature)) return undefined;
    const matching = features.items.filter((feature) => matchesFilter(feature, filter, favourites));
    const rows = needed ? matching.filter((feature) => staleOf(needed, feature)) : matching;
    return features.isComplete || rows.length > 0 ? sorted(rows, sort, favourites) : undefined;
  }, [features, search, lifecycle, tag, owner, onlyFavourites, stale, sort, favourites, needed]);
}

function StaleExplanation({ environment }: { environment: Environment | undefined }) {
  return (
    <p className="explanation">
      {/* The name is at the end: it moves nothing when it is loaded. */}
      Not evaluated for 30 days, or the same variant for everybody for 30 days, in{" "}
      {environment ? <bdi>{environment.name}</bdi> : <Skeleton width="5rem" />}
    </p>
  );
}

function Count({ visible, total }: { visible: number | undefined; total: number | undefined }) {
  if (visible === undefined || total === undefined) return null;
  return (
    <span className="features-count" role="status">
      {visible === total ? total : `${visible} of ${total}`}
      <span className="visually-hidden"> features</span>
    </span>
  );
}
