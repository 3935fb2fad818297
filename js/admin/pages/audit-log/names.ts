// The names of what entries refer to by key or id: projects, environments, features, audiences and people.
import { type QueryClient, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import type { AudienceNames } from "../../parts/changes/descriptions.js";
import { type Entry, subjectOf } from "./entry.js";

type Schemas = components["schemas"];

/** Of what has been deleted, the key. */
export interface Names {
  person: (id: string) => string | undefined;
  project: (key: string) => string;
  environment: (project: string, key: string) => string;
  /** Undefined if it was deleted. */
  environmentOfId: (id: string) => string | undefined;
  feature: (project: string, key: string) => string;
  audiences: (project: string) => AudienceNames;
  hasSeveralProjects: boolean;
}

const PROJECTS = wholeList("/api/v1/projects");
const PEOPLE = wholeList("/api/v1/users");
const listsOf = (project: string) => {
  const params = { path: { projectKey: project } };
  return {
    environments: wholeList("/api/v1/projects/{projectKey}/environments", params),
    audiences: wholeList("/api/v1/projects/{projectKey}/audiences", params),
    features: wholeList("/api/v1/projects/{projectKey}/features", params),
  };
};

/** The projects in which the entries are, and whether they refer to features that they do not name. */
function projectsIn(entries: readonly Entry[], all: readonly string[]): Map<string, { features: boolean }> {
  const found = new Map<string, { features: boolean }>();
  for (const entry of entries) {
    const { project, kind } = subjectOf(entry);
    // An integration is for environments of any project.
    if (kind === "outbound" && entry.action === "integration.update") {
      for (const each of all) found.set(each, found.get(each) ?? { features: false });
    }
    if (!project) continue;
    const features = kind === "approvals" || found.get(project)?.features === true;
    found.set(project, { features });
  }
  return found;
}

/** Reads the names before the entries are shown, so that no text changes later. A list that fails leaves its keys. */
export async function loadNames(queries: QueryClient, entries: readonly Entry[]): Promise<void> {
  const ignore = () => undefined;
  const [projects] = await Promise.all([
    queries.fetchQuery(PROJECTS).catch(ignore),
    queries.fetchQuery(PEOPLE).catch(ignore),
  ]);
  const existing = projects?.map(({ key }) => key) ?? [];
  const reads = [...projectsIn(entries, existing)]
    .filter(([project]) => existing.includes(project))
    .flatMap(([project, needed]) => {
      const { environments, audiences, features } = listsOf(project);
      return [
        queries.ensureQueryData(environments).catch(ignore),
        queries.ensureQueryData(audiences).catch(ignore),
        needed.features ? queries.ensureQueryData(features).catch(ignore) : undefined,
      ];
    });
  await Promise.all(reads);
}

interface ProjectLists {
  environments: readonly Schemas["Environment"][] | undefined;
  audiences: readonly Schemas["Audience"][] | undefined;
  features: readonly Schemas["Feature"][] | undefined;
}

/** The names that `loadNames` has read for these entries. */
export function useNames(entries: readonly Entry[] | undefined): Names {
  const projects = useQuery(PROJECTS).data;
  const people = useQuery(PEOPLE).data;
  const existing = projects?.map(({ key }) => key) ?? [];
  const needed = [...projectsIn(entries ?? [], existing)].filter(([project]) => existing.includes(project));
  const lists = useQueries({
    queries: needed.flatMap(([project, { features: withFeatures }]) => {
      const { environments, audiences, features } = listsOf(project);
      return [environments, audiences, { ...features, enabled: withFeatures }];
    }),
    combine: (results) => results.map(({ data }) => data),
  });
  const key = needed.map(([project]) => project).join("/");
  return useMemo(() => {
    const byProject = new Map(
      key.split("/").map((project, index): [string, ProjectLists] => {
        const [environments, audiences, features] = lists.slice(3 * index, 3 * index + 3);
        return [project, { environments, audiences, features } as ProjectLists];
      }),
    );
    return namesFrom({ projects, people, byProject });
  }, [projects, people, key, lists]);
}

interface Lists {
  projects: readonly Schemas["Project"][] | undefined;
  people: readonly Schemas["User"][] | undefined;
  byProject: ReadonlyMap<string, ProjectLists>;
}

function namesFrom({ projects, people, byProject }: Lists): Names {
  const peopleById = new Map(people?.map(({ id, name }) => [id, name]));
  const environments = [...byProject.values()].flatMap(({ environments }) => environments ?? []);
  const environmentsById = new Map(environments.map(({ id, name }) => [id, name]));
  const nameOf = (list: readonly { key: string; name: string }[] | undefined, key: string) =>
    list?.find((each) => each.key === key)?.name ?? key;
  return {
    person: (id) => peopleById.get(id),
    project: (key) => nameOf(projects, key),
    environment: (project, key) => nameOf(byProject.get(project)?.environments, key),
    environmentOfId: (id) => environmentsById.get(id),
    feature: (project, key) => nameOf(byProject.get(project)?.features, key),
    audiences: (project) => new Map(byProject.get(project)?.audiences?.map(({ key, name }) => [key, name])),
    hasSeveralProjects: (projects?.length ?? 0) > 1,
  };
}
