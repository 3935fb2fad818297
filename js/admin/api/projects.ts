// The projects of the organisation.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "./queries.js";

export function useProjects() {
  return useQuery(wholeList("/api/v1/projects"));
}
