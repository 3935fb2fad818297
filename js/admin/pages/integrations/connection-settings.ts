// The settings of a connection that people can see, which is all but its keys.
import type { Integration, ProjectEnvironment, Region } from "./integrations.js";

export interface Settings {
  enabled: boolean;
  region: Region | null;
  environmentIds: readonly string[];
}

/** A new connection has no default region: neither is more likely. */
export const NEW_SETTINGS: Settings = { enabled: true, region: null, environmentIds: [] };

export function settingsOf({ enabled, configuration }: Integration): Settings {
  const { region, filter } = configuration.analytics;
  return { enabled, region, environmentIds: filter.environmentIds ?? [] };
}

/** The settings with the names of the environments, to compare two versions. */
export function withNames(
  { environmentIds, ...rest }: Settings,
  environments: readonly ProjectEnvironment[] | undefined,
): unknown {
  const nameOf = (id: string) => {
    const environment = environments?.find((one) => one.id === id);
    return environment ? `${environment.project} · ${environment.name}` : id;
  };
  return { ...rest, environments: environmentIds.length === 0 ? "all" : environmentIds.map(nameOf) };
}
