// The scope of a token: as it is chosen for a new one, and as it is shown.
import type { TokenScope } from "./tokens.js";

export interface ScopeDraft {
  access: TokenScope["access"];
  /** Whether the token is limited to the places. */
  limited: boolean;
  /** Projects, as `shop`, and environments, as `shop/staging`. */
  places: readonly string[];
}

export const WITHOUT_SCOPE: ScopeDraft = { access: "readWrite", limited: false, places: [] };

/** Undefined if it limits nothing. Environments of a selected project are part of it. */
export function scopeOf({ access, limited, places }: ScopeDraft): TokenScope | undefined {
  if (!limited) return access === "readOnly" ? { access } : undefined;
  const projects = places.filter((place) => !place.includes("/"));
  const environments = places.flatMap((place) => {
    const [projectKey = "", environmentKey] = place.split("/");
    return environmentKey === undefined || projects.includes(projectKey) ? [] : [{ projectKey, environmentKey }];
  });
  return {
    access,
    ...(projects.length > 0 && { projects }),
    ...(environments.length > 0 && { environments }),
  };
}

/** Where a token may be used, such as `shop` and `shop/staging`; undefined: everywhere. */
export function placesOf({ projects, environments }: TokenScope): readonly string[] | undefined {
  if (!projects && !environments) return undefined;
  const within = environments?.map(({ projectKey, environmentKey }) => `${projectKey}/${environmentKey}`);
  return [...(projects ?? []), ...(within ?? [])];
}
