// The connections of the organisation.
import { useQuery } from "@tanstack/react-query";
import { resource, wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Integration = components["schemas"]["OutboundIntegration"];
export type NewIntegration = components["schemas"]["NewOutboundIntegration"];
export type Region = components["schemas"]["Region"];
type AvailableRegion = components["schemas"]["AnalyticsRegion"];
export type Delivery = components["schemas"]["Delivery"];

export const INTEGRATIONS = "/api/v1/admin/integrations/outbound";
export const INTEGRATION = "/api/v1/admin/integrations/outbound/{id}";
export const DELIVERIES = "/api/v1/admin/integrations/outbound/{id}/deliveries";

const REGIONS = "/api/v1/admin/integrations/regions";

/** Deliveries happen in the background: what the page shows of them is at most this old. */
export const REFETCH_MS = 5_000;

export function useIntegrations(enabled: boolean) {
  return useQuery({ ...wholeList(INTEGRATIONS), enabled, refetchInterval: REFETCH_MS });
}

/** Where the server can deliver, and where it can't; undefined until they are loaded. */
export function useRegions(): readonly AvailableRegion[] | undefined {
  return useQuery(resource(REGIONS)).data?.value.regions;
}
