// An environment and its keys, as these pages read and change them.
import { useQuery } from "@tanstack/react-query";
import type { Problem } from "../../api/problem.js";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Environment = components["schemas"]["Environment"];
export type SdkKey = components["schemas"]["SdkKey"];

export const ENVIRONMENTS = "/api/v1/projects/{projectKey}/environments";
export const ENVIRONMENT = "/api/v1/projects/{projectKey}/environments/{environmentKey}";

export function useEnvironments(project: string) {
  return useQuery(wholeList(ENVIRONMENTS, { path: { projectKey: project } }));
}

export function useEnvironment(project: string, key: string) {
  return useQuery(resource(ENVIRONMENT, { path: { projectKey: project, environmentKey: key } }));
}

/** One origin a line, as it is written. */
export function originsFrom(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((origin) => origin.trim())
    .filter(Boolean);
}

/** The server points at one origin of the list; the form has one field for all. */
export function atOrigins(problem: Problem | undefined, origins: readonly string[]): Problem | undefined {
  if (!problem?.errors) return problem;
  const errors = problem.errors.map(({ pointer, detail }) => {
    const [, place] = pointer.match(/^\/allowedOrigins\/(\d+)$/) ?? [];
    return place === undefined
      ? { pointer, detail }
      : { pointer: "/allowedOrigins", detail: `${origins[Number(place)]}: ${detail}` };
  });
  return { ...problem, errors };
}
