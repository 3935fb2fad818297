// Evaluations of a feature in an environment: in each of the last 24 hours, and on each of the last 30 days.
import { useQuery } from "@tanstack/react-query";
import { type Body, resource } from "../../../api/queries.js";

const PATH = "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/insights";
const REFRESH_MS = 60_000;

export type Insights = Body<typeof PATH>;
/** An hour or a day. */
export type Period = Insights["hours"][number];

export type InsightsQuery = ReturnType<typeof useInsights>;

export function useInsights(project: string, feature: string, environment: string) {
  const path = { projectKey: project, featureKey: feature, environmentKey: environment };
  return useQuery({ ...resource(PATH, { path }), refetchInterval: REFRESH_MS });
}
