// Release pipelines, and the features in their phases.
import { useQuery } from "@tanstack/react-query";
import { resource } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Pipeline = components["schemas"]["Pipeline"];
export type Phase = components["schemas"]["Phase"];
export type Feature = components["schemas"]["Feature"];
export type Environment = components["schemas"]["Environment"];

export const PIPELINES = "/api/v1/projects/{projectKey}/pipelines";
export const PIPELINE = "/api/v1/projects/{projectKey}/pipelines/{pipelineKey}";
export const FEATURES = "/api/v1/projects/{projectKey}/features";
export const FEATURE = "/api/v1/projects/{projectKey}/features/{featureKey}";

export function usePipeline(project: string, key: string) {
  return useQuery(resource(PIPELINE, { path: { projectKey: project, pipelineKey: key } }));
}

/** The features of a pipeline by the environment of their phase. */
export function featuresByPhase(features: readonly Feature[], pipeline: string): Map<string, Feature[]> {
  const phases = new Map<string, Feature[]>();
  for (const feature of features) {
    if (feature.pipelineKey !== pipeline) continue;
    const environment = feature.phase?.environmentKey ?? "";
    const others = phases.get(environment);
    if (others) others.push(feature);
    else phases.set(environment, [feature]);
  }
  return phases;
}
