// Which environment a feature opens in: the one that was used last in the project, else the first that is not production.
import type { Environment } from "./feature.js";

const PREFIX = "flagservice-environment:";

export function rememberEnvironment(project: string, key: string): void {
  try {
    localStorage.setItem(PREFIX + project, key);
  } catch {
    // Storage is blocked: the next feature opens in the first environment that is not production.
  }
}

function lastUsed(project: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + project) ?? undefined;
  } catch {
    return undefined; // Storage is blocked.
  }
}

/** Undefined if there are no environments. */
export function environmentToOpen(project: string, environments: readonly Environment[]): Environment | undefined {
  const last = lastUsed(project);
  return (
    environments.find(({ key }) => key === last) ??
    environments.find(({ production }) => !production) ??
    environments[0]
  );
}
