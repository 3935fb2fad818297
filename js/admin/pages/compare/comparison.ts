// The comparison of two environments, and which of its features are shown and can be copied.
import { useQuery } from "@tanstack/react-query";
import { resource } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Environment = components["schemas"]["Environment"];
export type Comparison = components["schemas"]["Comparison"];
export type ComparedEnvironment = components["schemas"]["ComparedEnvironment"];
export type ComparedFeature = components["schemas"]["ComparedFeature"];
export type Difference = components["schemas"]["Difference"];

/** Loads nothing until both environments are known and different. */
export function useComparison(project: string, source: string | undefined, target: string | undefined) {
  const query = { source: source ?? "", target: target ?? "" };
  return useQuery({
    ...resource("/api/v1/projects/{projectKey}/environments/compare", { path: { projectKey: project }, query }),
    enabled: Boolean(source && target && source !== target),
    // With megabytes of rules, sharing unchanged parts is slower than rendering all of them.
    structuralSharing: false,
  });
}

/** Compared by default: production with the environment before it, or the last two environments. */
export function defaultPair(environments: readonly Environment[]): { source: string; target: string } | undefined {
  const production = environments.findIndex(({ production }) => production);
  const targetIndex = production > 0 ? production : environments.length - 1;
  const [source, target] = [environments[targetIndex - 1], environments[targetIndex]];
  return source && target && { source: source.key, target: target.key };
}

export function isDifferent({ differences }: ComparedFeature): boolean {
  return differences.length > 0;
}

/** A feature with a pending change in the target can't be copied. */
export function canBeCopied(feature: ComparedFeature): boolean {
  return isDifferent(feature) && !feature.chips.cannotCopy;
}

/** Whether copying it needs an approval. */
export function needsApproval({ chips }: ComparedFeature): boolean {
  return Boolean(chips.approvalRequired);
}
