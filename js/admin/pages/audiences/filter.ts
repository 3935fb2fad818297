// The filter of the audience list: text and scope.
import { matchesSearch, useUrlFilter } from "../../parts/list/filter.js";
import type { Audience } from "./audiences.js";

export const ANY_SCOPE = "";
/** Can't be the key of an environment. */
export const PROJECT_WIDE = "*";

export interface AudienceFilter {
  search: string;
  /** The key of an environment, `ANY_SCOPE` or `PROJECT_WIDE`. */
  scope: string;
}

export function useAudienceFilter(): [AudienceFilter, (change: Partial<AudienceFilter>) => void] {
  const [params, change] = useUrlFilter();
  return [{ search: params.get("search") ?? "", scope: params.get("scope") ?? ANY_SCOPE }, change];
}

export function matchesFilter({ key, name, environmentKey }: Audience, { search, scope }: AudienceFilter): boolean {
  if (scope === PROJECT_WIDE ? environmentKey : scope !== ANY_SCOPE && environmentKey !== scope) return false;
  return matchesSearch(search, [key, name]);
}
