// What only the open environment needs: the audiences that its rules can use, its client keys, its experiments, its history and its
// insights.

import { useMemo } from "react";
import { useAudiences } from "../../../api/projects.js";
import { hasFailed } from "../../../api/queries.js";
import { useExperiments } from "../../../parts/feature/use-experiments.js";
import { useKeys } from "../../../parts/keys/sdk-keys.js";
import { useHistory } from "../changes/use-history.js";
import type { Environment } from "../feature.js";
import { useInsights } from "../insights/use-insights.js";
import type { TargetingContext } from "../targeting-context.js";
import type { FeatureData } from "../use-feature-page.js";

export function useEnvironment({ project, feature }: FeatureData, environment: Environment) {
  const audiences = useAudiences(project);
  const history = useHistory(project, feature.key, environment.key);
  const keys = useKeys({ kind: "client", project, environmentKey: environment.key });
  const experiments = useExperiments(project, environment.key);
  const insights = useInsights(project, feature.key, environment.key);
  const all = audiences.data;
  const context = useMemo<TargetingContext | undefined>(() => {
    if (!all) return undefined;
    const usable = all.filter(({ environmentKey }) => !environmentKey || environmentKey === environment.key);
    const audienceNames = new Map(all.map(({ key, name }) => [key, name]));
    return { project, feature, environment, audiences: usable, audienceNames };
  }, [project, feature, environment, all]);
  return {
    context,
    lastChange: history.data?.pages[0]?.items[0],
    experiment: experiments.data?.find(({ featureKey, state }) => featureKey === feature.key && state === "running"),
    insights,
    // What could not be read is read again without hiding the page.
    loaded: [audiences, history, keys, experiments, insights].every((query) => query.isFetched),
    failed: hasFailed(audiences) ? audiences : undefined,
    retry: () => void audiences.refetch(),
  };
}
