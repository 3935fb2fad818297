// The connections of the organisation, and the environments of all its projects that a filter can name.
import { useQueries, useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Integration = components["schemas"]["OutboundIntegration"];
export type NewIntegration = components["schemas"]["NewOutboundIntegration"];
export type Region = components["schemas"]["Region"];
export type Delivery = components["schemas"]["Delivery"];

export const INTEGRATIONS = "/api/v1/admin/integrations/outbound";
export const INTEGRATION = "/api/v1/admin/integrations/outbound/{id}";
export const DELIVERIES = "/api/v1/admin/integrations/outbound/{id}/deliveries";

/** Deliveries happen by themselves: what is shown of them is never older. */
export const LOOK_AGAIN_MS = 5_000;

export function useIntegrations(mayRead: boolean) {
  return useQuery({ ...wholeList(INTEGRATIONS), enabled: mayRead, refetchInterval: LOOK_AGAIN_MS });
}

export interface Place {
  id: string;
  project: string;
  environment: string;
  production: boolean;
}

/** Every environment of every project; undefined until all are known. */
export function usePlaces(): readonly Place[] | undefined {
  const projects = useQuery(wholeList("/api/v1/projects")).data;
  const environments = useQueries({
    queries: (projects ?? []).map(({ key }) =>
      wholeList("/api/v1/projects/{projectKey}/environments", { path: { projectKey: key } }),
    ),
  });
  if (!projects || environments.some(({ data }) => !data)) return undefined;
  return projects.flatMap((project, index) =>
    (environments[index]?.data ?? []).map(({ id, name, production }) => ({
      id,
      project: project.name,
      environment: name,
      production,
    })),
  );
}
