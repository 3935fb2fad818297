// The pipelines page: the list, or one pipeline.
import { useParams } from "wouter";
import { PipelineList } from "./pipeline-list.js";
import { PipelinePage } from "./pipeline-page.js";

export function Component() {
  const { project = "", key } = useParams();
  return key === undefined ? (
    <PipelineList project={project} />
  ) : (
    <PipelinePage key={`${project}/${key}`} project={project} pipelineKey={key} />
  );
}
