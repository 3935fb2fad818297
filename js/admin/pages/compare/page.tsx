// Compares two environments and copies targeting from one to the other.
import { useEffect } from "react";
import { useParams } from "wouter";
import { useEnvironments } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { SegmentedControl } from "../../parts/choice/segmented-control.js";
import { Chip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page } from "../../parts/layout/page.js";
import { type Comparison, defaultPair, type Environment, useComparison } from "./comparison.js";
import { ComparisonView } from "./comparison-view.js";
import { CopyTarget } from "./copy-target.js";
import { EnvironmentPair } from "./environment-pair.js";
import { type Filter, useFilter } from "./filter.js";

export function Component() {
  const { project = "" } = useParams();
  const [filter, setFilter] = useFilter();
  const { source, target } = filter;
  const environments = useEnvironments(project);
  const comparison = useComparison(project, source, target);
  useDefaultPair(environments.data, filter, setFilter);

  const { user } = useSession();
  const failed = [environments, comparison].find(hasFailed);
  const targetEnvironment = environments.data?.find(({ key }) => key === target);
  const tooFew = environments.data !== undefined && environments.data.length < 2;
  const isSame = source !== undefined && source === target;
  const retry = () => Promise.all([environments.refetch(), ...(source && target ? [comparison.refetch()] : [])]);
  return (
    <Page
      title="Compare environments"
      badges={<Counts comparison={comparison.data?.value} loading={!failed && !tooFew && !isSame} />}
    >
      {tooFew ? (
        <EmptyState icon="environments" title="Not enough environments">
          Comparing needs two environments. This project has {environments.data?.length === 1 ? "one" : "none"}.
        </EmptyState>
      ) : (
        <>
          <Filters filter={filter} onChange={setFilter} environments={environments.data} />
          <p className="compare-target">
            {targetEnvironment && <CopyTarget role={user.role} target={targetEnvironment} />}
          </p>
          {failed ? (
            <ErrorState error={failed.error} onRetry={() => void retry()} />
          ) : isSame ? (
            <SameEnvironment onReset={() => setFilter({ source: undefined, target: undefined })} />
          ) : !environments.data ? (
            // Whether rows have checkboxes depends on the target environment.
            <div aria-busy="true">
              <Skeleton width="100%" height="30rem" />
            </div>
          ) : (
            <ComparisonView
              key={`${source} ${target}`}
              project={project}
              comparison={comparison.data?.value}
              target={targetEnvironment}
              filter={filter}
              onFilter={setFilter}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** Selects the default environments when the URL has none, so that the URL says what is shown. */
function useDefaultPair(
  environments: readonly Environment[] | undefined,
  { source, target }: Filter,
  setFilter: (change: Partial<Filter>) => void,
): void {
  useEffect(() => {
    const pair = environments && defaultPair(environments);
    if (pair && !source && !target) setFilter(pair);
  }, [environments, source, target, setFilter]);
}

function Counts({ comparison, loading }: { comparison: Comparison | undefined; loading: boolean }) {
  if (!comparison) return loading ? <Skeleton width="10rem" height="1.25rem" /> : null;
  return (
    <span className="compare-counts" role="status">
      <Chip tone={comparison.different > 0 ? "warn" : "plain"}>
        {comparison.different.toLocaleString("en")} different
      </Chip>
      <Chip>{comparison.identical.toLocaleString("en")} identical</Chip>
    </span>
  );
}

const CHOICES = [
  { key: "different", label: "Different only" },
  { key: "all", label: "All features" },
];

interface FiltersProps {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
  environments: readonly Environment[] | undefined;
}

function Filters({ filter: { source, target, all, search }, onChange, environments }: FiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of filters, not a fieldset
    <div className="compare-tools" role="group" aria-label="Comparison">
      <EnvironmentPair environments={environments} source={source} target={target} onChange={onChange} />
      <SegmentedControl
        label="Features"
        choices={CHOICES}
        value={all ? "all" : "different"}
        onChange={(key) => onChange({ all: key === "all" })}
      />
      <SearchField label="Search features" value={search} onChange={(search) => onChange({ search })} />
    </div>
  );
}

function SameEnvironment({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      icon="compare"
      title="Source and target are the same"
      action={<Button onPress={onReset}>Use default environments</Button>}
    >
      Choose another source or target.
    </EmptyState>
  );
}
