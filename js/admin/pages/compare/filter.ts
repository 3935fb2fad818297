// What the page compares and shows. It is part of the URL.
import { useCallback } from "react";
import { matchesFeature } from "../../parts/feature/matches-feature.js";
import { useUrlFilter } from "../../parts/list/filter.js";
import { type ComparedFeature, isDifferent } from "./comparison.js";

export interface Filter {
  /** The key of an environment. */
  source: string | undefined;
  target: string | undefined;
  /** All features, not only different ones. */
  all: boolean;
  search: string;
}

export function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const [params, setParams] = useUrlFilter();
  const filter: Filter = {
    source: params.get("source") ?? undefined,
    target: params.get("target") ?? undefined,
    all: params.get("show") === "all",
    search: params.get("search") ?? "",
  };
  const change = useCallback(
    ({ all, ...others }: Partial<Filter>) =>
      setParams({ ...others, ...(all !== undefined && { show: all ? "all" : "" }) }),
    [setParams],
  );
  return [filter, change];
}

export function matchesFilter(feature: ComparedFeature, { all, search }: Pick<Filter, "all" | "search">): boolean {
  return (all || isDifferent(feature)) && matchesFeature(search, feature);
}
