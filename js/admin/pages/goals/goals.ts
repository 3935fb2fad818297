// How often goals were reached, counted for one feature by its variants.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Goal = components["schemas"]["Goal"];
export type Feature = components["schemas"]["Feature"];

/** Goals come in while somebody looks. */
const LOOK_AGAIN_MS = 10_000;

export function useGoals(project: string, environment: string | undefined) {
  const path = { projectKey: project, environmentKey: environment ?? "" };
  return useQuery({
    ...wholeList("/api/v1/projects/{projectKey}/environments/{environmentKey}/goals", { path }),
    enabled: environment !== undefined,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useFeatures(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/features", { path: { projectKey: project } }));
}

export function useEnvironments(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/environments", { path: { projectKey: project } }));
}

/** A goal by the variants of one feature. */
export interface Counted {
  goal: string;
  /** In the order of the feature's variants. */
  variants: readonly { variant: string; count: number; share: number }[];
  /** Reached while users had a variant of the feature. */
  count: number;
  /** Reached while they had none, for example before the feature was made. */
  without: number;
}

/** The goals that users of the feature have reached, the most reached first. */
export function countedBy(goals: readonly Goal[], feature: string, variants: readonly string[]): Counted[] {
  return goals
    .filter(({ features }) => feature in features)
    .map(({ key, count: all, features }) => {
      const counts = features[feature] ?? {};
      const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
      const others = Object.keys(counts).filter((variant) => !variants.includes(variant));
      return {
        goal: key,
        count,
        without: all - count,
        variants: [...variants.filter((variant) => variant in counts), ...others.sort()].map((variant) => ({
          variant,
          count: counts[variant] ?? 0,
          share: (counts[variant] ?? 0) / count,
        })),
      };
    })
    .sort((one, other) => other.count - one.count || one.goal.localeCompare(other.goal));
}

/** The features that goals were counted for, the most counted first, with names as far as they are known. */
export function featuresOf(goals: readonly Goal[], features: readonly Feature[]): { key: string; name: string }[] {
  const counts = new Map<string, number>();
  for (const goal of goals) {
    for (const [feature, variants] of Object.entries(goal.features)) {
      const count = Object.values(variants).reduce((sum, one) => sum + one, 0);
      counts.set(feature, (counts.get(feature) ?? 0) + count);
    }
  }
  const names = new Map(features.map(({ key, name }) => [key, name]));
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || one.localeCompare(other))
    .map(([key]) => ({ key, name: names.get(key) ?? key }));
}

/** All variants that occur, in the feature's order: their place is their look in the chart. */
export function variantsOf(counted: readonly Counted[], known: readonly string[]): string[] {
  const found = new Set(counted.flatMap(({ variants }) => variants.map(({ variant }) => variant)));
  return [...known.filter((variant) => found.has(variant)), ...[...found].filter((one) => !known.includes(one)).sort()];
}

const NUMBER = new Intl.NumberFormat("en-GB");
const SHARE = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });

export function shownNumber(count: number): string {
  return NUMBER.format(count);
}

export function shownShare(share: number): string {
  return SHARE.format(share);
}
