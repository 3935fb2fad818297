// The project that the pages are about: the one of the address, else the last one looked at, else the first.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams } from "react-router";
import { wholeList } from "../api/queries.js";

const KEPT = "flagservice-project";

function lastSeen(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined; // Storage is blocked.
  }
}

function remember(project: string): void {
  try {
    localStorage.setItem(KEPT, project);
  } catch {
    // Storage is blocked: the first project is chosen the next time.
  }
}

export function useProjects() {
  return useQuery(wholeList("/api/v1/projects"));
}

/** The key of the current project; undefined until it is known, and where there is none. */
export function useCurrentProject(): string | undefined {
  const inAddress = useParams().project;
  const projects = useProjects().data;
  useEffect(() => {
    if (inAddress) remember(inAddress);
  }, [inAddress]);
  if (inAddress) return inAddress;
  const last = lastSeen();
  return projects?.find(({ key }) => key === last)?.key ?? projects?.[0]?.key;
}
