// The features of a project as the list shows them, and which of them a filter leaves.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Lifecycle = components["schemas"]["Lifecycle"];
export type Environment = components["schemas"]["Environment"];

/** Whether a feature is on in an environment, and the version that a change of it names. */
export interface EnvironmentState {
  environmentKey: string;
  enabled: boolean;
  version: number;
}

export type Feature = Omit<components["schemas"]["Feature"], "environments"> & {
  environments?: EnvironmentState[] | null;
};

export function useFeatures(project: string) {
  const query = { environments: true, limit: 200 };
  return useQuery(wholeList("/api/v1/projects/{projectKey}/features", { path: { projectKey: project }, query }));
}

export function useEnvironments(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/environments", { path: { projectKey: project } }));
}

export interface Filter {
  search: string;
  /** Undefined: all that are not archived. */
  lifecycle: Lifecycle | undefined;
  tag: string | undefined;
}

export function filtered(features: readonly Feature[], { search, lifecycle, tag }: Filter): Feature[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return features.filter((feature) => {
    if (lifecycle ? feature.lifecycle !== lifecycle : feature.lifecycle === "Archived") return false;
    if (tag !== undefined && !feature.tags.includes(tag)) return false;
    const text = `${feature.key} ${feature.name} ${feature.description}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function tagsOf(features: readonly Feature[]): string[] {
  return [...new Set(features.flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other));
}
