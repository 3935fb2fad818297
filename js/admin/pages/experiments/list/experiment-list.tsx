// The experiments of an environment: those that run first.
import { useMemo, useState } from "react";
import { useEnvironments, useFeatures } from "../../../api/projects.js";
import { hasFailed } from "../../../api/queries.js";
import { useSession } from "../../../api/session.js";
import { Button } from "../../../parts/button/button.js";
import { useExperiments } from "../../../parts/feature/use-experiments.js";
import { NoEnvironments } from "../../../parts/feedback/no-environments.js";
import { EmptyState, ErrorState } from "../../../parts/feedback/state.js";
import { isShort } from "../../../parts/layout/guides.js";
import { Page } from "../../../parts/layout/page.js";
import { Table } from "../../../parts/list/table.js";
import { canChangeTargeting } from "../../../roles.js";
import { CreateExperiment } from "../design/create-experiment.js";
import type { Environment, Experiment, Feature } from "../experiments.js";
import { columnsFor } from "./columns.js";
import { ALL, type ExperimentFilter, matchesFilter, useExperimentFilter } from "./filter.js";
import { Filters } from "./filters.js";

export function ExperimentList({ project, open }: { project: string; open: string | undefined }) {
  const { user } = useSession();
  const environments = useEnvironments(project);
  const features = useFeatures(project);
  const [filter, setFilter] = useExperimentFilter(environments.data, open);
  const { environment, state, search, newWith } = filter;
  const experiments = useExperiments(project, environment?.key);
  const [creating, setCreating] = useState(false);
  const rows = useRows(experiments.data, features.data, { state, search });
  const canCreate = environment !== undefined && canChangeTargeting(user.role, environment);
  const create = canCreate && (
    <Button kind="primary" icon="plus" isDisabled={!features.data} onPress={() => setCreating(true)}>
      New experiment
    </Button>
  );
  const close = () => {
    setCreating(false);
    setFilter({ newWith: undefined });
  };
  const columns = useColumns(project, environment?.key ?? "", features.data);
  const queries = [environments, features, experiments];
  const failed = queries.find(hasFailed);
  return (
    <Page
      title="Experiments"
      description="Find out which variant of a feature is better, by counting goals of the users who get each of them."
      actions={create}
      guides={isShort(rows) && ["run-an-experiment", "roll-out", "audiences"]}
    >
      <Filters environments={environments.data} filter={filter} onChange={setFilter} />
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all(queries.map((query) => query.refetch()))} />
      ) : environments.data?.length === 0 ? (
        <NoEnvironments project={project}>An experiment runs in an environment.</NoEnvironments>
      ) : environment && experiments.data?.length === 0 ? (
        <NoExperiments environment={environment} action={create} />
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No matching experiments"
          action={<Button onPress={() => setFilter({ search: "", state: ALL })}>Clear filters</Button>}
        />
      ) : (
        <Table label="Experiments" columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={54} />
      )}
      {canCreate && features.data && (creating || newWith !== undefined) && (
        <CreateExperiment {...{ project, environment, features: features.data, featureKey: newWith }} onClose={close} />
      )}
    </Page>
  );
}

function NoExperiments({ environment, action }: { environment: Environment; action: React.ReactNode }) {
  return (
    <EmptyState icon="experiments" title={`No experiments in ${environment.name} yet`} action={action}>
      An experiment compares the variants of a feature. The feature's rules split users, clients report who takes part
      and which goals they reach, and the page says which variant is better, and when that is certain enough.
      {!action && ` Creating one requires the ${environment.production ? "production editor" : "editor"} role.`}
    </EmptyState>
  );
}

/** Running ones first, then drafts, each in the order of their names. */
const ORDER = ["running", "draft", "stopped"];

function useRows(
  experiments: readonly Experiment[] | undefined,
  features: readonly Feature[] | undefined,
  { state, search }: Pick<ExperimentFilter, "state" | "search">,
) {
  return useMemo(() => {
    if (!experiments || !features) return undefined;
    const names = new Map(features.map(({ key, name }) => [key, name]));
    return experiments
      .filter((experiment) => matchesFilter(experiment, { state, search }, names.get(experiment.featureKey) ?? ""))
      .sort(
        (one, other) =>
          ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || one.name.localeCompare(other.name, "en"),
      );
  }, [experiments, features, state, search]);
}

function useColumns(project: string, environment: string, features: readonly Feature[] | undefined) {
  return useMemo(() => {
    const names = new Map(features?.map(({ key, name }) => [key, name]));
    return columnsFor(project, environment, (key) => names.get(key) ?? key);
  }, [project, environment, features]);
}
