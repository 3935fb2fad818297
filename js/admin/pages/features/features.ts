// The features of the list.
import { useQuery } from "@tanstack/react-query";
import { growingList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Lifecycle = components["schemas"]["Lifecycle"];
export type Environment = components["schemas"]["Environment"];
export type Feature = components["schemas"]["Feature"];
export type FeatureState = components["schemas"]["FeatureInEnvironment"];
export type Pipeline = components["schemas"]["Pipeline"];

/** Features with their state in each environment, in the order of their keys. */
export function useFeaturesWithStates(project: string) {
  const query = { environments: true };
  return useQuery(growingList("/api/v1/projects/{projectKey}/features", { path: { projectKey: project }, query }));
}

export function tagsOf(features: readonly Feature[]): string[] {
  return [...new Set(features.flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other));
}
