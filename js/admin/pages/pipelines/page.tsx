// Release pipelines: the list of them, and at an address of its own the phases of one with the features in them.
import { useParams } from "react-router";
import { OnePipeline } from "./one-pipeline.js";
import { PipelineList } from "./pipeline-list.js";

export function Component() {
  const { project = "", key } = useParams();
  return key === undefined ? (
    <PipelineList project={project} />
  ) : (
    <OnePipeline key={`${project}/${key}`} project={project} pipelineKey={key} />
  );
}
