// The filter of the feature list: text, lifecycle and tag.
import { matchesFeature } from "../../parts/feature/matches-feature.js";
import { useUrlFilter } from "../../parts/list/filter.js";
import type { Feature, Lifecycle } from "./features.js";

export interface FeatureFilter {
  search: string;
  /** Undefined: all but archived features. */
  lifecycle: Lifecycle | undefined;
  tag: string | undefined;
}

export const NO_FILTER: FeatureFilter = { search: "", lifecycle: undefined, tag: undefined };

const LIFECYCLES: readonly string[] = ["Draft", "Active", "Archived"] satisfies Lifecycle[];

export function useFeatureFilter(): [FeatureFilter, (change: Partial<FeatureFilter>) => void] {
  const [params, change] = useUrlFilter();
  const lifecycle = params.get("lifecycle");
  const filter: FeatureFilter = {
    search: params.get("search") ?? "",
    lifecycle: lifecycle && LIFECYCLES.includes(lifecycle) ? (lifecycle as Lifecycle) : undefined,
    tag: params.get("tag") ?? undefined,
  };
  return [filter, change];
}

export function matchesFilter(feature: Feature, { search, lifecycle, tag }: FeatureFilter): boolean {
  if (lifecycle ? feature.lifecycle !== lifecycle : feature.lifecycle === "Archived") return false;
  if (tag !== undefined && !feature.tags.includes(tag)) return false;
  return matchesFeature(search, feature);
}
