// What the page of a feature reads: the feature, pipelines, environments, its targetings and pending changes.
import { useQueries, useQuery } from "@tanstack/react-query";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import { asTheyAreDue } from "../../parts/feature/schedule/order.js";

type Schemas = components["schemas"];
export type Feature = Schemas["Feature"];
export type Environment = Schemas["Environment"];
export type Pipeline = Schemas["Pipeline"];
export type Experiment = Schemas["Experiment"];
export type WaitingChange = Schemas["ApprovalSummary"];

export function useFeature(project: string, feature: string) {
  return useQuery(
    resource("/api/v1/projects/{projectKey}/features/{featureKey}", {
      path: { projectKey: project, featureKey: feature },
    }),
  );
}

/** In the order of the environments. */
export function useTargetings(project: string, feature: string, environments: readonly Environment[]) {
  return useQueries({
    queries: environments.map(({ key }) =>
      resource("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", {
        path: { projectKey: project, featureKey: feature, environmentKey: key },
      }),
    ),
  });
}

/** Those that wait for an approval, or for their time. */
export function waitingChanges(project: string, feature: string, state: "pending" | "scheduled") {
  return wholeList("/api/v1/projects/{projectKey}/approvals", {
    path: { projectKey: project },
    query: { state, featureKey: feature },
  });
}

/** Those of the environment that wait for their time, as they are due. */
export function dueIn(environment: string, changes: readonly WaitingChange[]): WaitingChange[] {
  return asTheyAreDue(
    changes.filter(({ environmentKey, scheduledFor }) => environmentKey === environment && scheduledFor),
  );
}
