// The filter of the list: environment, state and text. It is part of the URL.
import { matchesSearch, useUrlFilter } from "../../../parts/list/filter.js";
import { type Environment, type Experiment, type ExperimentState, primaryGoalOf, STATES } from "../experiments.js";

export const ALL = "all";

export interface ExperimentFilter {
  /** By default production, if there is one. */
  environment: Environment | undefined;
  state: ExperimentState | typeof ALL;
  search: string;
  /** The key of the feature with which the dialog for a new experiment opens. */
  newWith: string | undefined;
}

export type SetExperimentFilter = (
  change: Partial<Record<"environment" | "state" | "search" | "newWith", string | undefined>>,
) => void;

/** `open` is the key of the environment in the path. */
export function useExperimentFilter(
  environments: readonly Environment[] | undefined,
  open: string | undefined,
): [ExperimentFilter, SetExperimentFilter] {
  const [params, setParams] = useUrlFilter();
  const state = params.get("state") ?? ALL;
  const wanted = params.get("environment") ?? open;
  const filter = {
    environment:
      environments?.find(({ key }) => key === wanted) ??
      environments?.find(({ production }) => production) ??
      environments?.[0],
    state: (Object.hasOwn(STATES, state) ? state : ALL) as ExperimentFilter["state"],
    search: params.get("search") ?? "",
    newWith: params.get("newWith") ?? undefined,
  };
  return [filter, (change) => setParams({ ...change, ...(change.state === ALL && { state: undefined }) })];
}

export function matchesFilter(
  experiment: Experiment,
  { state, search }: Pick<ExperimentFilter, "state" | "search">,
  featureName: string,
): boolean {
  if (state !== ALL && experiment.state !== state) return false;
  const { key, name, featureKey } = experiment;
  return matchesSearch(search, [key, name, featureKey, featureName, primaryGoalOf(experiment)]);
}
