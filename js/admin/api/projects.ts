// The projects of the organisation, and what each of them has.
import { useQueries, useQuery } from "@tanstack/react-query";
import { wholeList } from "./queries.js";

export function useProjects() {
  return useQuery(wholeList("/api/v1/projects"));
}

export function useEnvironments(project: string) {
  return useQuery(environmentsOf(project));
}

export function useFeatures(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/features", { path: { projectKey: project } }));
}

export function useAudiences(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/audiences", { path: { projectKey: project } }));
}

export function usePipelines(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/pipelines", { path: { projectKey: project } }));
}

/** An environment with its project. */
export interface ProjectEnvironment {
  id: string;
  key: string;
  name: string;
  production: boolean;
  projectKey: string;
  /** The name of the project. */
  project: string;
}

/** All environments of all projects; undefined until they are loaded. */
export function useAllEnvironments(): readonly ProjectEnvironment[] | undefined {
  const projects = useProjects().data;
  const environments = useQueries({
    queries: (projects ?? []).map(({ key }) => environmentsOf(key)),
  });
  if (!projects || environments.some(({ data }) => !data)) return undefined;
  return projects.flatMap((project, index) =>
    (environments[index]?.data ?? []).map(({ id, key, name, production }) => ({
      id,
      key,
      name,
      production,
      projectKey: project.key,
      project: project.name,
    })),
  );
}

function environmentsOf(project: string) {
  return wholeList("/api/v1/projects/{projectKey}/environments", { path: { projectKey: project } });
}
