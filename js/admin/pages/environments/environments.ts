// An environment, as these pages read and change it.
import { useQuery } from "@tanstack/react-query";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Environment = components["schemas"]["Environment"];

export const ENVIRONMENTS = "/api/v1/projects/{projectKey}/environments";
export const ENVIRONMENT = "/api/v1/projects/{projectKey}/environments/{environmentKey}";

export function useEnvironments(project: string) {
  return useQuery(wholeList(ENVIRONMENTS, { path: { projectKey: project } }));
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
