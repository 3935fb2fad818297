// An environment, as these pages read and change it.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Environment = components["schemas"]["Environment"];
type Feature = components["schemas"]["Feature"];

export const ENVIRONMENTS = "/api/v1/projects/{projectKey}/environments";
export const ENVIRONMENT = "/api/v1/projects/{projectKey}/environments/{environmentKey}";

/** The text `3 of 12` by environment: in how many features that are not archived targeting is on. Empty while it is loading. */
export function useFeaturesOn(project: string): ReadonlyMap<string, string> {
  const query = { environments: true };
  const features = useQuery(
    wholeList("/api/v1/projects/{projectKey}/features", { path: { projectKey: project }, query }),
  );
  return useMemo(() => countOn(features.data ?? []), [features.data]);
}

function countOn(features: readonly Feature[]): Map<string, string> {
  const inUse = features.filter(({ lifecycle }) => lifecycle !== "Archived");
  const counts = new Map<string, number>();
  for (const { environmentKey, enabled } of inUse.flatMap(({ environments }) => environments ?? [])) {
    counts.set(environmentKey, (counts.get(environmentKey) ?? 0) + (enabled ? 1 : 0));
  }
  return new Map([...counts].map(([environment, count]) => [environment, `${count} of ${inUse.length}`]));
}

export function useEnvironment(project: string, key: string) {
  return useQuery(resource(ENVIRONMENT, { path: { projectKey: project, environmentKey: key } }));
}

/** The origins in a text field, one per line. */
export function parseOrigins(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((origin) => origin.trim())
    .filter(Boolean);
}
