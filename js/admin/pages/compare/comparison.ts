// Two environments side by side as the server compares them, and what of it is shown and can be copied.
import { useQuery } from "@tanstack/react-query";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Environment = components["schemas"]["Environment"];
export type Comparison = components["schemas"]["Comparison"];
export type ComparedEnvironment = components["schemas"]["ComparedEnvironment"];
export type ComparedFeature = components["schemas"]["ComparedFeature"];
export type Difference = components["schemas"]["Difference"];

export function useEnvironments(project: string) {
  return useQuery(wholeList("/api/v1/projects/{projectKey}/environments", { path: { projectKey: project } }));
}

/** Nothing is read as long as the two are not known, or are one. */
export function useComparison(project: string, source: string | undefined, target: string | undefined) {
  const query = { source: source ?? "", target: target ?? "" };
  return useQuery({
    ...resource("/api/v1/projects/{projectKey}/environments/compare", { path: { projectKey: project }, query }),
    enabled: Boolean(source && target && source !== target),
    // Megabytes of rules: looking for what has stayed takes longer than showing what is there.
    structuralSharing: false,
  });
}

/** The two that are compared when nobody has said which: what comes before production, with production. */
export function usualPair(environments: readonly Environment[]): { source: string; target: string } | undefined {
  const production = environments.findIndex(({ production }) => production);
  const at = production > 0 ? production : environments.length - 1;
  const [source, target] = [environments[at - 1], environments[at]];
  return source && target && { source: source.key, target: target.key };
}

export function differs({ differences }: ComparedFeature): boolean {
  return differences.length > 0;
}

/** Only what differs, and has no change waiting in the target, can be copied. */
export function canBeCopied(feature: ComparedFeature): boolean {
  return differs(feature) && !feature.chips.cannotCopy;
}

/** Whether a copy of it is held for approval. */
export function isGated({ chips }: ComparedFeature): boolean {
  return Boolean(chips.approvalRequired);
}

export function shown(
  features: readonly ComparedFeature[],
  { all, search }: { all: boolean; search: string },
): ComparedFeature[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return features.filter((feature) => {
    if (!all && !differs(feature)) return false;
    const text = `${feature.key} ${feature.name}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
