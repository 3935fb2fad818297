// The experiments of an environment.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Experiment = components["schemas"]["Experiment"];

export const EXPERIMENTS = "/api/v1/projects/{projectKey}/environments/{environmentKey}/experiments";

/** Reads nothing as long as the environment is not known. */
export function useExperiments(project: string, environment: string | undefined) {
  const path = { projectKey: project, environmentKey: environment ?? "" };
  return useQuery({ ...wholeList(EXPERIMENTS, { path }), enabled: environment !== undefined });
}
