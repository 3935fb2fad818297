// The audiences of a project, and where one is used.
import { useQuery } from "@tanstack/react-query";
import { useEnvironments, useFeatures, usePipelines } from "../../api/projects.js";
import { resource } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { approvalGates } from "../../parts/feature/approval-gates.js";

export type Audience = components["schemas"]["Audience"];
export type Environment = components["schemas"]["Environment"];

export const AUDIENCES = "/api/v1/projects/{projectKey}/audiences";
export const AUDIENCE = "/api/v1/projects/{projectKey}/audiences/{audienceKey}";

export function useAudience(project: string, key: string) {
  return useQuery(resource(AUDIENCE, { path: { projectKey: project, audienceKey: key } }));
}

/** A targeting with a rule that uses the audience. */
export interface Use {
  featureKey: string;
  featureName: string;
  environment: { key: string; name: string; production: boolean };
  /** Whether a change of the targeting requires an approval. */
  approvalRequired: boolean;
}

/** Where the audience is used; undefined while it is loading. */
export function useUses(project: string, audience: Audience | undefined): readonly Use[] | undefined {
  const environments = useEnvironments(project).data;
  const features = useFeatures(project).data;
  const pipelines = usePipelines(project).data;
  if (!audience || !environments || !features || !pipelines) return undefined;
  const featuresByKey = new Map(features.map((feature) => [feature.key, feature]));
  const environmentsByKey = new Map(environments.map((environment) => [environment.key, environment]));
  return (audience.usedIn ?? []).map(({ featureKey, environmentKey }) => {
    const feature = featuresByKey.get(featureKey);
    const environment = environmentsByKey.get(environmentKey);
    return {
      featureKey,
      featureName: feature?.name ?? featureKey,
      // An environment that is newer than the list may be production, which needs a confirmation.
      environment: environment ?? { key: environmentKey, name: environmentKey, production: true },
      approvalRequired:
        feature !== undefined &&
        environment !== undefined &&
        approvalGates(feature, [environment], pipelines).length > 0,
    };
  });
}

/** The attributes that the project's audiences already use: some several times, and built-in ones, too. */
export function attributesOf(audiences: readonly Audience[]): string[] {
  return audiences.flatMap(({ conditions }) => conditions.map(({ attribute }) => attribute));
}

/** What can be edited. */
export interface AudienceDraft {
  name: string;
  conditions: readonly Condition[];
}

export function toDraft({ name, conditions }: Audience): AudienceDraft {
  return { name, conditions };
}

export function sameConditions(one: readonly Condition[], other: readonly Condition[]): boolean {
  const serialize = (conditions: readonly Condition[]) =>
    JSON.stringify(conditions.map(({ attribute, operator, values }) => [attribute, operator, values]));
  return serialize(one) === serialize(other);
}
