// A pipeline deleted, after a question; the server refuses while a feature is in it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { Banner } from "../../parts/banner.js";
import { Confirmation } from "../../parts/dialog.js";
import { toast } from "../../parts/toast.js";
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
  const confirm = async () => {
    const outcome = await remove.run(undefined);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: `${name} was deleted.` });
      onDeleted();
    } else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `Somebody else has just changed ${name}. It was not deleted; look again.` });
      onClose();
    }
  };
  return (
    <Confirmation
      title="Delete this pipeline?"
      isOpen
      onClose={onClose}
      confirm="Delete the pipeline"
      kind="danger"
      onConfirm={() => void confirm()}
      pending={remove.pending}
    >
      {remove.problem && <Banner tone="bad">{remove.problem.detail}</Banner>}
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        is gone for good. No feature is in it, so nothing else changes.
      </p>
    </Confirmation>
  );
}
