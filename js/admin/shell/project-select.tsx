// Selects the current project.
import { navigate } from "wouter/use-browser-location";
import { useProjects } from "../api/projects.js";
import { Select } from "../parts/choice/select.js";
import { Skeleton } from "../parts/feedback/state.js";

export function ProjectSelect({ current }: { current: string | undefined }) {
  const projects = useProjects().data;
  if (!projects) return <Skeleton width="100%" height="var(--control)" />;
  return (
    <Select
      label="Project"
      hideLabel
      choices={projects.map(({ key, name }) => ({ key, label: name }))}
      value={current ?? null}
      onChange={(key) => navigate(`/projects/${key}/features`)}
      placeholder="No project"
      isDisabled={projects.length === 0}
    />
  );
}
