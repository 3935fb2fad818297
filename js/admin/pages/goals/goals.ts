// Goal events of an environment, counted by the variants of one feature.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Goal = components["schemas"]["Goal"];
export type Feature = components["schemas"]["Feature"];
export type Environment = components["schemas"]["Environment"];

const REFRESH_MS = 10_000;

export function useGoals(project: string, environment: string | undefined) {
  const path = { projectKey: project, environmentKey: environment ?? "" };
  return useQuery({
    ...wholeList("/api/v1/projects/{projectKey}/environments/{environmentKey}/goals", { path }),
    enabled: environment !== undefined,
    refetchInterval: REFRESH_MS,
  });
}

/** The events of one goal by the variants of one feature. */
export interface GoalCounts {
  goal: string;
  /** In the order of the feature's variants. */
  variants: readonly { variant: string; count: number; share: number }[];
  /** Events of users who had a variant of the feature. */
  count: number;
  /** Events of users who had none, for example before the feature was created. */
  withoutVariant: number;
}

/** Most events first. */
export function countByVariant(goals: readonly Goal[], feature: string, variants: readonly string[]): GoalCounts[] {
  return goals
    .filter(({ features }) => Object.hasOwn(features, feature))
    .map(({ key, count: total, features }) => {
      const counts = features[feature] ?? {};
      const count = sumOf(counts);
      const isCounted = (variant: string) => Object.hasOwn(counts, variant);
      const removed = Object.keys(counts).filter((variant) => !variants.includes(variant));
      return {
        goal: key,
        count,
        withoutVariant: total - count,
        variants: [...variants.filter(isCounted), ...removed.sort()].map((variant) => ({
          variant,
          count: counts[variant] ?? 0,
          share: (counts[variant] ?? 0) / count,
        })),
      };
    })
    .sort((one, other) => other.count - one.count || one.goal.localeCompare(other.goal));
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The features that have goal events, most events first. The name of a deleted feature is its key. */
export function featuresWithGoals(
  goals: readonly Goal[],
  features: readonly Feature[],
): { key: string; name: string }[] {
  const totals = new Map<string, number>();
  for (const goal of goals) {
    for (const [feature, counts] of Object.entries(goal.features)) {
      totals.set(feature, (totals.get(feature) ?? 0) + sumOf(counts));
    }
  }
  const names = new Map(features.map(({ key, name }) => [key, name]));
  return [...totals]
    .sort(([one, total], [other, otherTotal]) => otherTotal - total || one.localeCompare(other))
    .map(([key]) => ({ key, name: names.get(key) ?? key }));
}

/** The feature's variants, and after them those with events that it no longer has. */
export function withRemoved(known: readonly string[], counts: readonly GoalCounts[]): string[] {
  const found = new Set(counts.flatMap(({ variants }) => variants.map(({ variant }) => variant)));
  return [...known, ...[...found].filter((variant) => !known.includes(variant)).sort()];
}

const NUMBER = new Intl.NumberFormat("en-GB");
const PERCENT = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });

export function formatNumber(count: number): string {
  return NUMBER.format(count);
}

export function formatShare(share: number): string {
  return PERCENT.format(share);
}
