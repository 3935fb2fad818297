// The environments of a project: the list of them, and at an address of its own the settings and keys of one.
import { useParams } from "react-router";
import { EnvironmentList } from "./environment-list.js";
import { OneEnvironment } from "./one-environment.js";

export function Component() {
  const { project = "", key } = useParams();
  return key === undefined ? (
    <EnvironmentList project={project} />
  ) : (
    <OneEnvironment key={`${project}/${key}`} project={project} environmentKey={key} />
  );
}
