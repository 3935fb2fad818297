// Deletes a pipeline after confirmation. The server refuses while a feature is in it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { PIPELINE, PIPELINES, type Pipeline } from "./pipelines.js";

interface DeletePipelineProps {
  project: string;
  stored: Versioned<Pipeline>;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeletePipeline({ project, stored, onClose, onDeleted }: DeletePipelineProps) {
  const { key, name } = stored.value;
  const remove = useChange(
    () =>
      client.DELETE(PIPELINE, {
        params: { path: { projectKey: project, pipelineKey: key }, header: ifMatch(stored.version) },
      }),
    { refresh: [[PIPELINES]] },
  );
  return (
    <DeleteDialog kind="pipeline" name={name} change={remove} onDone={onDeleted} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will be deleted permanently. No feature is in it, so nothing else changes.
      </p>
    </DeleteDialog>
  );
}
