// Evaluations of the last 24 hours, and which features are stale, in one environment of the list.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Item, wholeList } from "../../api/queries.js";
import type { Environment, Feature } from "./features.js";

const PATH = "/api/v1/projects/{projectKey}/environments/{environmentKey}/insights";
const REFRESH_MS = 60_000;

type FeatureInsights = Item<typeof PATH>;

export interface Insights {
  /** The only environment, the first production environment, or the first one. Undefined without environments. */
  environment: Environment | undefined;
  /** By the key of the feature. Undefined until they are read. */
  byFeature: ReadonlyMap<string, FeatureInsights> | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => Promise<unknown>;
}

/** Read once `isDue`, so that they do not delay what the list needs first. */
export function useInsights(
  project: string,
  environments: readonly Environment[] | undefined,
  isDue: boolean,
): Insights {
  const environment = environments?.find(({ production }) => production) ?? environments?.[0];
  const path = { projectKey: project, environmentKey: environment?.key ?? "" };
  const { data, isError, error, refetch } = useQuery({
    ...wholeList(PATH, { path }),
    enabled: environment !== undefined && isDue,
    refetchInterval: REFRESH_MS,
  });
  return useMemo(() => {
    const byFeature = data && new Map(data.map((insights) => [insights.featureKey, insights]));
    return { environment, byFeature, isError: isError && !data, error, refetch };
  }, [environment, data, isError, error, refetch]);
}

/** Why a feature is stale; nothing if it is not, or as long as that is not known. */
export function staleOf({ byFeature }: Insights, { key }: Feature): FeatureInsights["stale"] | undefined {
  return byFeature?.get(key)?.stale;
}
