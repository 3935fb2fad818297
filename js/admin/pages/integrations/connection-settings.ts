// The settings of a connection that people can see, which is all but its keys and its URL.
import type { ProjectEnvironment } from "../../api/projects.js";
import type { Integration, NewIntegration, Region } from "./integrations.js";
import { filterOf, type Kind } from "./kinds.js";

export interface Settings {
  enabled: boolean;
  /** Only of analytics. A new connection has no default region: neither is more likely. */
  region: Region | null;
  environmentIds: readonly string[];
}

/** What is write-only; blank in an edit to keep what is stored. */
export interface Secrets {
  apiKey: string;
  secretKey: string;
  url: string;
}

export const NEW_SETTINGS: Settings = { enabled: true, region: null, environmentIds: [] };

export const NO_SECRETS: Secrets = { apiKey: "", secretKey: "", url: "" };

export function settingsOf(integration: Integration): Settings {
  const { enabled, configuration } = integration;
  const region = "analytics" in configuration ? configuration.analytics.region : null;
  return { enabled, region, environmentIds: filterOf(integration) };
}

/** The body of a write; undefined without a region that analytics needs. */
export function bodyOf(
  kind: Kind,
  settings: Settings,
  { apiKey, secretKey, url }: Secrets,
): NewIntegration | undefined {
  const { enabled, region, environmentIds } = settings;
  const filter = { environmentIds: [...environmentIds] };
  const hook = { filter, ...(url && { url }) };
  switch (kind) {
    case "webhook":
      return { type: kind, enabled, configuration: { webhook: hook } };
    case "slack":
      return { type: kind, enabled, configuration: { slack: hook } };
    case "analytics": {
      if (region === null) return undefined;
      const analytics = { region, filter, ...(apiKey && { apiKey }), ...(secretKey && { secretKey }) };
      return { type: kind, enabled, configuration: { analytics } };
    }
  }
}

/** The settings with the names of the environments, to compare two versions. */
export function withNames(
  { environmentIds, region, ...rest }: Settings,
  environments: readonly ProjectEnvironment[] | undefined,
): unknown {
  const nameOf = (id: string) => {
    const environment = environments?.find((one) => one.id === id);
    return environment ? `${environment.project} · ${environment.name}` : id;
  };
  const shown = region === null ? rest : { ...rest, region };
  return { ...shown, environments: environmentIds.length === 0 ? "all" : environmentIds.map(nameOf) };
}
