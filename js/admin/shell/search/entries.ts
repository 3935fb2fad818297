// What the search finds: pages, projects, environments, audiences, pipelines, people, and features of all projects.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useProjects } from "../../api/projects.js";
import { resource, wholeList } from "../../api/queries.js";
import type { IconName } from "../../parts/display/icon.js";
import { roleName } from "../../roles.js";
import { ORGANISATION_PAGES, PROJECT_PAGES } from "../navigation-items.js";

export interface Entry {
  /** Also where it leads. */
  href: string;
  label: string;
  /** What tells it from others of the same name. */
  detail?: string | undefined;
  icon: IconName;
  /** What is searched besides the label. */
  texts: readonly string[];
}

export interface EntryGroup {
  title: string;
  entries: readonly Entry[];
}

/** How many other projects are searched for features, and how many features of each are read. */
const MAX_PROJECTS = 10;
const MAX_FEATURES = 5;
/** A shorter text is in too many features. */
const MIN_LENGTH = 2;

/** Every entry that is known without a search. A list that cannot be read is left out. */
export function useEntries(project: string | undefined): readonly EntryGroup[] {
  const projects = useProjects().data ?? [];
  const inProject = { path: { projectKey: project ?? "" } };
  const enabled = project !== undefined;
  const features = useQuery({ ...wholeList("/api/v1/projects/{projectKey}/features", inProject), enabled }).data ?? [];
  const environments =
    useQuery({ ...wholeList("/api/v1/projects/{projectKey}/environments", inProject), enabled }).data ?? [];
  const audiences =
    useQuery({ ...wholeList("/api/v1/projects/{projectKey}/audiences", inProject), enabled }).data ?? [];
  const pipelines =
    useQuery({ ...wholeList("/api/v1/projects/{projectKey}/pipelines", inProject), enabled }).data ?? [];
  const people = useQuery(wholeList("/api/v1/users")).data ?? [];
  const at = `/projects/${project}`;
  const named = (folder: string, icon: IconName, items: readonly { key: string; name: string }[]): Entry[] =>
    items.map(({ key, name }) => ({ href: `${at}/${folder}/${key}`, label: name, detail: key, icon, texts: [key] }));
  return [
    {
      title: "Features",
      entries: features.map(({ key, name, tags, description }) => ({
        href: `${at}/features/${key}`,
        label: name,
        detail: key,
        icon: "features",
        texts: [key, ...tags, description],
      })),
    },
    { title: "Pages", entries: pageEntries(enabled ? at : undefined) },
    {
      title: "Projects",
      entries: projects.map(({ key, name }) => ({
        href: `/projects/${key}/features`,
        label: name,
        detail: key,
        icon: "projects",
        texts: [key],
      })),
    },
    { title: "Environments", entries: named("environments", "environments", environments) },
    { title: "Audiences", entries: named("audiences", "audiences", audiences) },
    { title: "Pipelines", entries: named("pipelines", "pipelines", pipelines) },
    {
      title: "People",
      entries: people.map(({ name, role }) => ({
        href: `/users?${new URLSearchParams({ search: name })}`,
        label: name,
        detail: roleName(role),
        icon: "users",
        texts: [],
      })),
    },
  ];
}

function pageEntries(project: string | undefined): Entry[] {
  const inProject =
    project === undefined ? [] : PROJECT_PAGES.map((page) => ({ ...page, to: `${project}/${page.to}` }));
  return [...inProject, ...ORGANISATION_PAGES].map(({ to, label, icon }) => ({ href: to, label, icon, texts: [] }));
}

/** Features of the other projects, found by the server. */
export function useFeaturesElsewhere(project: string | undefined, search: string): EntryGroup {
  const projects = useProjects().data ?? [];
  const others = projects.filter(({ key }) => key !== project).slice(0, MAX_PROJECTS);
  const text = search.trim();
  const entries = useQueries({
    queries: others.map(({ key }) => ({
      ...resource("/api/v1/projects/{projectKey}/features", {
        path: { projectKey: key },
        query: { search: text, limit: MAX_FEATURES },
      }),
      enabled: text.length >= MIN_LENGTH,
    })),
    combine: (answers) =>
      answers.flatMap(({ data }, index) => {
        const other = others[index];
        if (!data || !other) return [];
        return data.value.items.map(({ key, name, tags, description }) => ({
          href: `/projects/${other.key}/features/${key}`,
          label: name,
          detail: other.name,
          icon: "features" as const,
          texts: [key, ...tags, description],
        }));
      }),
  });
  return { title: "Features of other projects", entries: text.length >= MIN_LENGTH ? entries : [] };
}
