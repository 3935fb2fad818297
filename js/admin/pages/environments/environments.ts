// An environment, as these pages read and change it.
import { useQuery } from "@tanstack/react-query";
import type { Problem } from "../../api/problem.js";
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

/** Moves the server's errors about single origins to the one field that holds all of them. */
export function withOriginErrors(problem: Problem | undefined, origins: readonly string[]): Problem | undefined {
  if (!problem?.errors) return problem;
  const errors = problem.errors.map(({ pointer, detail }) => {
    const [, index] = pointer.match(/^\/allowedOrigins\/(\d+)$/) ?? [];
    return index === undefined
      ? { pointer, detail }
      : { pointer: "/allowedOrigins", detail: `${origins[Number(index)]}: ${detail}` };
  });
  return { ...problem, errors };
}
