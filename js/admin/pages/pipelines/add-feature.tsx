// Adds a feature to a pipeline. It starts in the first phase.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Dialog } from "../../parts/dialog/dialog.js";
import { DialogForm } from "../../parts/dialog/dialog-form.js";
import { toast } from "../../parts/feedback/toast.js";
import { FEATURE, FEATURES, type Feature, type Pipeline } from "./pipelines.js";

interface AddFeatureProps {
  project: string;
  pipeline: Pipeline;
  features: readonly Feature[];
  onClose: () => void;
}

export function AddFeature({ project, pipeline, features, onClose }: AddFeatureProps) {
  const [selected, setSelected] = useState("");
  const candidates = features.filter(({ pipelineKey, lifecycle }) => !pipelineKey && lifecycle !== "Archived");
  const add = useChange(
    () =>
      client.PATCH(FEATURE, {
        params: { path: { projectKey: project, featureKey: selected } },
        body: { pipelineKey: pipeline.key },
      }),
    { refresh: [[FEATURES]] },
  );
  const submit = async () => {
    const outcome = await add.run(undefined);
    if (outcome.kind !== "done") return;
    const name = features.find(({ key }) => key === selected)?.name ?? selected;
    toast({ tone: "good", text: `${name} was added to ${pipeline.name}.` });
    onClose();
  };
  return (
    <Dialog title="Add feature" onClose={onClose}>
      <DialogForm
        problem={add.problem}
        pending={add.pending}
        submit="Add"
        isSubmitDisabled={!selected}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <p>
          The feature starts in <bdi>{pipeline.phases[0]?.name ?? "the first phase"}</bdi>. Its targeting does not
          change. The approvals that phases require apply to it from now on.
        </p>
        <ComboBox
          label="Feature"
          name="pipelineKey"
          isRequired
          choices={candidates.map(({ key, name }) => ({ key, label: name, detail: key }))}
          value={selected}
          onChange={setSelected}
          hint="To add a feature of another pipeline, remove it from that pipeline first."
        />
      </DialogForm>
    </Dialog>
  );
}
