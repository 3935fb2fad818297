// The filter of the feature list: text, lifecycle, tag, owner, favourites and stale features; and its order.
import { matchesFeature } from "../../parts/feature/matches-feature.js";
import { useUrlFilter } from "../../parts/list/filter.js";
import type { Feature, Lifecycle } from "./features.js";
import { isSort, type Sort } from "./sort.js";

export interface FeatureFilter {
  search: string;
  /** Undefined: all but archived features. */
  lifecycle: Lifecycle | undefined;
  tag: string | undefined;
  /** The id of a person, or `NO_OWNER`. Undefined: anyone or nobody. */
  owner: string | undefined;
  favourites: boolean;
  /** Only features that insights call stale. */
  stale: boolean;
  /** Undefined: by key. */
  sort: Sort | undefined;
}

/** No person has this id. */
export const NO_OWNER = "none";

export const NO_FILTER: FeatureFilter = {
  search: "",
  lifecycle: undefined,
  tag: undefined,
  owner: undefined,
  favourites: false,
  stale: false,
  sort: undefined,
};

const LIFECYCLES: readonly string[] = ["Draft", "Active", "Archived"] satisfies Lifecycle[];
const ONLY = "only";

export function useFeatureFilter(): [FeatureFilter, (change: Partial<FeatureFilter>) => void] {
  const [params, change] = useUrlFilter();
  const set = ({ favourites, stale, ...others }: Partial<FeatureFilter>) =>
    change({
      ...others,
      ...(favourites !== undefined && { favourites: favourites ? ONLY : undefined }),
      ...(stale !== undefined && { stale: stale ? ONLY : undefined }),
    });
  return [filterOf(params), set];
}

/** The filter in a URL. */
export function filterOf(params: URLSearchParams): FeatureFilter {
  const [lifecycle, sort] = [params.get("lifecycle"), params.get("sort")];
  return {
    search: params.get("search") ?? "",
    lifecycle: lifecycle && LIFECYCLES.includes(lifecycle) ? (lifecycle as Lifecycle) : undefined,
    tag: params.get("tag") ?? undefined,
    owner: params.get("owner") ?? undefined,
    favourites: params.get("favourites") === ONLY,
    stale: params.get("stale") === ONLY,
    sort: isSort(sort) ? sort : undefined,
  };
}

/** Except whether it is stale, which insights know. */
export function matchesFilter(feature: Feature, filter: FeatureFilter, favourites: ReadonlySet<string>): boolean {
  const { search, lifecycle, tag, owner } = filter;
  if (lifecycle ? feature.lifecycle !== lifecycle : feature.lifecycle === "Archived") return false;
  if (tag !== undefined && !feature.tags.includes(tag)) return false;
  if (owner !== undefined && (feature.owner?.id ?? NO_OWNER) !== owner) return false;
  if (filter.favourites && !favourites.has(feature.key)) return false;
  return matchesFeature(search, feature);
}
