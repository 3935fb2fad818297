// The edge keys of a project, as these pages read and change them.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type EdgeKey = components["schemas"]["EdgeKey"];

export const EDGE_KEYS = "/api/v1/projects/{projectKey}/edge-keys";
export const EDGE_KEY = "/api/v1/projects/{projectKey}/edge-keys/{keyId}";
export const ROTATE_EDGE_KEY = "/api/v1/projects/{projectKey}/edge-keys/{keyId}/rotate";

export function useEdgeKeys(project: string) {
  return useQuery(wholeList(EDGE_KEYS, { path: { projectKey: project } }));
}
