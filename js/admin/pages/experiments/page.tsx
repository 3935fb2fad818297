// The experiments page: those of an environment, or one experiment.
import { useParams } from "wouter";
import { ExperimentPage } from "./detail/experiment-page.js";
import { ExperimentList } from "./list/experiment-list.js";

export function Component() {
  const { project = "", environment, key } = useParams();
  if (environment === undefined || key === undefined) return <ExperimentList project={project} open={environment} />;
  return (
    <ExperimentPage
      key={`${project}/${environment}/${key}`}
      project={project}
      environmentKey={environment}
      experimentKey={key}
    />
  );
}
