// The environment and the feature whose goals are shown. They are part of the URL.
import { useMemo } from "react";
import { useUrlFilter } from "../../parts/list/filter.js";
import { type Environment, type Feature, featuresWithGoals, useGoals } from "./goals.js";

interface NamedFeature {
  key: string;
  name: string;
}

export interface Selection {
  environment: Environment | undefined;
  feature: NamedFeature | undefined;
  /** The features that have goal events in the environment. */
  features: readonly NamedFeature[];
  goals: ReturnType<typeof useGoals>;
  select: (change: { environment?: string; feature?: string }) => void;
}

/** By default production, if there is one, and the feature with the most events. */
export function useSelection(
  project: string,
  environments: readonly Environment[] | undefined,
  allFeatures: readonly Feature[] | undefined,
): Selection {
  const [params, select] = useUrlFilter();
  const environment =
    environments?.find(({ key }) => key === params.get("environment")) ??
    environments?.find(({ production }) => production) ??
    environments?.[0];
  const goals = useGoals(project, environment?.key);
  const features = useMemo(
    () => (goals.data && allFeatures ? featuresWithGoals(goals.data, allFeatures) : []),
    [goals.data, allFeatures],
  );
  const feature = features.find(({ key }) => key === params.get("feature")) ?? features[0];
  return { environment, feature, features, goals, select };
}
