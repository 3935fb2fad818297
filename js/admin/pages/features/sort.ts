// The order of the feature list.
import type { Feature, Lifecycle } from "./features.js";

export type Sort = "name" | "lifecycle" | "owner" | "favourites";

/** Besides the order by key, in which the server lists features. */
export const SORTS: readonly { key: Sort; label: string }[] = [
  { key: "name", label: "By name" },
  { key: "favourites", label: "Favourites first" },
  { key: "owner", label: "By owner" },
  { key: "lifecycle", label: "By lifecycle" },
];

const LIFECYCLES: readonly Lifecycle[] = ["Active", "Draft", "Archived"];

export function isSort(text: string | null): text is Sort {
  return SORTS.some(({ key }) => key === text);
}

/** The features in this order. Features that are alike in it stay in the order of their keys. */
export function sorted(
  features: readonly Feature[],
  sort: Sort | undefined,
  favourites: ReadonlySet<string>,
): readonly Feature[] {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const orders: Record<Sort, (one: Feature, other: Feature) => number> = {
    name: (one, other) => collator.compare(one.name, other.name),
    favourites: (one, other) => Number(favourites.has(other.key)) - Number(favourites.has(one.key)),
    // Features without an owner come last.
    owner: (one, other) =>
      Number(!one.owner) - Number(!other.owner) || collator.compare(one.owner?.name ?? "", other.owner?.name ?? ""),
    lifecycle: (one, other) => LIFECYCLES.indexOf(one.lifecycle) - LIFECYCLES.indexOf(other.lifecycle),
  };
  return sort ? [...features].sort(orders[sort]) : features;
}
