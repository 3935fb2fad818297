// The environments page: the list, or one environment.
import { useParams } from "wouter";
import { EnvironmentList } from "./environment-list.js";
import { EnvironmentPage } from "./environment-page.js";

export function Component() {
  const { project = "", key } = useParams();
  return key === undefined ? (
    <EnvironmentList project={project} />
  ) : (
    <EnvironmentPage key={`${project}/${key}`} project={project} environmentKey={key} />
  );
}
