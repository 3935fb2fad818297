// Everything that the page reads, whichever environment is open: the feature, and what is served in each environment.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useEnvironments, usePipelines } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { approvalGates } from "../../parts/feature/approval-gates.js";
import type { FeatureState } from "../../parts/feature/switch/state.js";
import type { SavedTargeting } from "./draft/draft.js";
import {
  dueIn,
  type Environment,
  type Feature,
  type Pipeline,
  useFeature,
  useTargetings,
  type WaitingChange,
  waitingChanges,
} from "./feature.js";

/** The feature in one environment. */
export interface InEnvironment {
  environment: Environment;
  /** Undefined if it could not be read. */
  saved: SavedTargeting | undefined;
  error: unknown;
  pendingChange: WaitingChange | undefined;
  /** As they are due. */
  scheduledChanges: readonly WaitingChange[];
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
}

export interface FeatureData {
  project: string;
  feature: Feature;
  version: string | undefined;
  environments: readonly Environment[];
  pipelines: readonly Pipeline[];
  /** In the order of the environments. */
  places: readonly InEnvironment[];
}

const NONE: readonly Environment[] = [];

export function useFeaturePage(project: string, key: string) {
  const feature = useFeature(project, key);
  const environments = useEnvironments(project);
  const pipelines = usePipelines(project);
  const pending = useQuery(waitingChanges(project, key, "pending"));
  const scheduled = useQuery(waitingChanges(project, key, "scheduled"));
  const targetings = useTargetings(project, key, environments.data ?? NONE);
  const required = [feature, environments, pipelines];
  const all = [...required, pending, scheduled, ...targetings];
  // Everything appears at once, so that nothing moves later, and stays while it is refreshed.
  const [ready, setReady] = useState(false);
  if (!ready && environments.data && all.every((query) => !query.isLoading)) setReady(true);

  const data: FeatureData | undefined =
    (ready &&
      feature.data &&
      environments.data &&
      pipelines.data && {
        project,
        feature: feature.data.value,
        version: feature.data.version,
        environments: environments.data,
        pipelines: pipelines.data,
        places: environments.data.map((environment, index) => ({
          environment,
          saved: targetings[index]?.data?.value,
          error: targetings[index]?.error,
          pendingChange: pending.data?.find(
            (change) => change.environmentKey === environment.key && !change.scheduledFor,
          ),
          scheduledChanges: dueIn(environment.key, [...(scheduled.data ?? []), ...(pending.data ?? [])]),
          gates: approvalGates(feature.data.value, [environment], pipelines.data),
        })),
      }) ||
    undefined;
  return {
    data,
    failed: required.find(hasFailed),
    retry: () => void Promise.all(all.map((query) => query.isError && query.refetch())),
  };
}

/** The state that the switch of an environment turns on and off. */
export function stateOf({ environment, saved, pendingChange }: InEnvironment): FeatureState | undefined {
  if (!saved) return undefined;
  const { enabled, offVariantKey, rules, served, version } = saved;
  const pendingApprovalId = pendingChange?.id ?? null;
  return {
    ...{ enabled, offVariantKey, served, version, pendingApprovalId },
    environmentKey: environment.key,
    rules: rules.length,
  };
}
