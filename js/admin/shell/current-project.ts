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

/** The key of the current project; undefined while projects are loading or if there are none. */
export function useCurrentProject(): string | undefined {
  const fromUrl = useRoute("/projects/:project/*?")[1]?.project;
  const projects = useProjects().data;
  useEffect(() => {
    if (fromUrl) remember(fromUrl);
  }, [fromUrl]);
  if (fromUrl) return fromUrl;
  const last = lastOpened();
  return projects?.find(({ key }) => key === last)?.key ?? projects?.[0]?.key;
}
