// The filter of the audit log. It is kept in the URL, so that people can share what they see.
import { useUrlFilter } from "../../parts/list/filter.js";

export interface AuditFilter {
  /** The id of a person. */
  person: string;
  /** Keys. A feature and an environment are in the project. */
  project: string;
  feature: string;
  environment: string;
  /** An action or the beginning of some: see `KINDS`. */
  kind: string;
  /** Days such as 2026-11-21, both inclusive. */
  from: string;
  to: string;
}

export const NO_FILTER: AuditFilter = {
  ...{ person: "", project: "", feature: "", environment: "", kind: "" },
  ...{ from: "", to: "" },
};

/** What can be selected by kind, by its action or the part of the action before the dot. */
export const KINDS: readonly { key: string; label: string }[] = [
  { key: "", label: "Any kind" },
  { key: "targeting", label: "Targeting" },
  { key: "targeting.break-glass", label: "Switched off without approval" },
  { key: "feature", label: "Features" },
  { key: "approval", label: "Approvals" },
  { key: "change", label: "Scheduled changes" },
  { key: "experiment", label: "Experiments" },
  { key: "audience", label: "Audiences" },
  { key: "pipeline", label: "Pipelines" },
  { key: "environment", label: "Environments" },
  { key: "client-key", label: "Client keys" },
  { key: "server-key", label: "Server keys" },
  { key: "edge-key", label: "Edge keys" },
  { key: "project", label: "Projects" },
  { key: "integration", label: "Integrations" },
  { key: "user", label: "People" },
  { key: "token", label: "Tokens" },
  { key: "organisation", label: "Organisation" },
];

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function useFilter(): [AuditFilter, (change: Partial<AuditFilter>) => void] {
  const [params, setParams] = useUrlFilter();
  const value = (name: keyof AuditFilter) => params.get(name) ?? "";
  const project = value("project");
  const filter: AuditFilter = {
    person: value("person"),
    project,
    feature: project && value("feature"),
    environment: project && value("environment"),
    kind: KINDS.some(({ key }) => key === value("kind")) ? value("kind") : "",
    from: validDay(value("from")),
    to: validDay(value("to")),
  };
  return [filter, (change) => setParams({ ...change })];
}

/** Empty if it is not a valid day: people can edit URLs. */
function validDay(text: string): string {
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}
