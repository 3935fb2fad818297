// What an entry is about: its resource, and what was recorded of it.
import type { components } from "../../api/schema.js";

export type Entry = components["schemas"]["AuditEntry"];

export type State = Readonly<Record<string, unknown>>;

interface Subject {
  /** The key of its project; undefined for what belongs to the organisation. */
  project: string | undefined;
  /** The part of the path before the key: `features`, `approvals`, `users`. */
  kind: string;
  /** The key or the id. */
  key: string;
  /** Of an SDK key or an experiment: the key of its environment. */
  environment: string | undefined;
}

export function subjectOf({ resource }: Pick<Entry, "resource">): Subject {
  const parts = resource.split("/");
  if (parts[0] !== "projects") {
    return { project: undefined, kind: parts.at(-2) ?? resource, key: parts.at(-1) ?? "", environment: undefined };
  }
  const [, project, kind = "projects", key = project ?? "", keys, id] = parts;
  if (keys && id) return { project, kind: keys, key: id, environment: key };
  return { project, kind, key, environment: undefined };
}

/** The state after the change; of what was deleted, the one before. */
export function stateOf({ before, after }: Entry): State {
  return { ...(before as State | null), ...(after as State | null) };
}

/** A text in a state; undefined if there is none. */
export function textIn(state: unknown, field: string): string | undefined {
  const value = (state as State | null | undefined)?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The page of what the entry is about; undefined if it has none or is deleted. */
export function pageOf({ action }: Entry, { project, kind, key, environment }: Subject): string | undefined {
  if (/\.(delete|revoke)$/.test(action)) return undefined;
  if (project === undefined) return kind === "outbound" ? `/integrations/${key}` : ORGANISATION_PAGES[kind];
  if (kind === "projects") return `/projects/${project}/features`;
  if (kind === "experiments") return `/projects/${project}/experiments/${environment}/${key}`;
  if (kind === "edge-keys") return `/projects/${project}/environments`;
  return `/projects/${project}/${environment ? `environments/${environment}` : `${kind}/${key}`}`;
}

const ORGANISATION_PAGES: Record<string, string> = { users: "/users", tokens: "/tokens" };
