// The current project: the one in the URL, else the last one that was opened, else the first.
import { useEffect } from "react";
import { useRoute } from "wouter";
import { useProjects } from "../api/projects.js";

const STORAGE_KEY = "flagservice-project";

function lastOpened(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined; // Storage is blocked.
  }
}

/** Whether a project was opened in this browser before. */
export function hasOpenedProject(): boolean {
  return lastOpened() !== undefined;
}

function remember(project: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, project);
  } catch {
    // Storage is blocked: the next visit starts with the first project.
  }
}

export interface CurrentProject {
  /** Undefined while projects are loading, and if there are none. */
  key: string | undefined;
  /** Whether the project is not known yet. */
  loading: boolean;
}

/** Both fields come from one observer of the query: two could disagree for a frame, and the navigation would jump. */
export function useCurrentProject(): CurrentProject {
  const fromUrl = useRoute("/projects/:project/*?")[1]?.project;
  const { data: projects, isPending } = useProjects();
  useEffect(() => {
    if (fromUrl) remember(fromUrl);
  }, [fromUrl]);
  if (fromUrl) return { key: fromUrl, loading: false };
  const last = lastOpened();
  const key = projects?.find((project) => project.key === last)?.key ?? projects?.[0]?.key;
  return { key, loading: isPending };
}
