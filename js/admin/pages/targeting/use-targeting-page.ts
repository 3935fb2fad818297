// Everything that the page reads: the feature, its targeting here, environments, audiences, pending changes, pipeline.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { resource, wholeList } from "../../api/queries.js";
import { approvalGates } from "./approval-gates.js";
import { useHistory } from "./changes/use-history.js";
import type { TargetingContext } from "./targeting-context.js";

export interface PageKeys {
  project: string;
  feature: string;
  environment: string;
}

function useQueries({ project, feature, environment }: PageKeys) {
  const projectPath = { path: { projectKey: project } };
  const featurePath = { path: { projectKey: project, featureKey: feature } };
  const targetingPath = { path: { projectKey: project, featureKey: feature, environmentKey: environment } };
  const featureQuery = useQuery(resource("/api/v1/projects/{projectKey}/features/{featureKey}", featurePath));
  const pipelineKey = featureQuery.data?.value.pipelineKey;
  return {
    feature: featureQuery,
    saved: useQuery(
      resource("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", targetingPath),
    ),
    environments: useQuery(wholeList("/api/v1/projects/{projectKey}/environments", projectPath)),
    audiences: useQuery(wholeList("/api/v1/projects/{projectKey}/audiences", projectPath)),
    pending: useQuery(
      wholeList("/api/v1/projects/{projectKey}/approvals", {
        ...projectPath,
        query: { state: "pending", featureKey: feature, environmentKey: environment },
      }),
    ),
    history: useHistory(project, feature, environment),
    pipeline: useQuery({
      ...resource("/api/v1/projects/{projectKey}/pipelines/{pipelineKey}", {
        path: { projectKey: project, pipelineKey: pipelineKey ?? "" },
      }),
      enabled: Boolean(pipelineKey),
    }),
  };
}

export function useTargetingPage(keys: PageKeys) {
  const queries = useQueries(keys);
  const feature = queries.feature.data?.value;
  const environments = queries.environments.data;
  const audiences = queries.audiences.data;
  const environment = environments?.find(({ key }) => key === keys.environment);
  const context = useMemo<TargetingContext | undefined>(() => {
    if (!feature || !environment || !audiences) return undefined;
    const usable = audiences.filter(({ environmentKey }) => !environmentKey || environmentKey === environment.key);
    const audienceNames = new Map(audiences.map(({ key, name }) => [key, name]));
    return { project: keys.project, feature, environment, audiences: usable, audienceNames };
  }, [keys.project, feature, environment, audiences]);

  const all = Object.values(queries);
  const required = [queries.saved, queries.feature, queries.environments, queries.audiences];
  return {
    feature,
    context,
    saved: queries.saved.data?.value,
    environments,
    pendingChange: queries.pending.data?.[0],
    lastChange: queries.history.data?.pages[0]?.items[0],
    gates: approvalGates(feature, environment, queries.pipeline.data?.value),
    loaded: all.every((query) => !query.isLoading),
    failed: required.find((query) => query.isError),
    retry: () => void Promise.all(all.map((query) => query.isError && query.refetch())),
  };
}
