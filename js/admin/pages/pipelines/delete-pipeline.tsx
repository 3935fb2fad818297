// A pipeline deleted, after a question; the server refuses while a feature is in it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { DeletionQuestion, deletionBy } from "../../parts/deletion.js";
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
  const deletion = deletionBy(remove, { name, onClose, onDeleted });
  return (
    <DeletionQuestion kind="pipeline" deletion={deletion} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        is gone for good. No feature is in it, so nothing else changes.
      </p>
    </DeletionQuestion>
  );
}
