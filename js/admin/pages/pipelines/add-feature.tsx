// A feature that is in no pipeline begins in the first phase of this one.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { FEATURE, FEATURES, type Feature, type Pipeline } from "./pipelines.js";

interface AddFeatureProps {
  project: string;
  pipeline: Pipeline;
  features: readonly Feature[];
  onClose: () => void;
}

export function AddFeature({ project, pipeline, features, onClose }: AddFeatureProps) {
  const [chosen, setChosen] = useState("");
  const free = features.filter(({ pipelineKey, lifecycle }) => !pipelineKey && lifecycle !== "Archived");
  const add = useChange(
    () =>
      client.PATCH(FEATURE, {
        params: { path: { projectKey: project, featureKey: chosen } },
        body: { pipelineKey: pipeline.key },
      }),
    { refresh: [[FEATURES]] },
  );
  const submit = async () => {
    const outcome = await add.run(undefined);
    if (outcome.kind !== "done") return;
    const name = features.find(({ key }) => key === chosen)?.name ?? chosen;
    toast({ tone: "good", text: `${name} was added to ${pipeline.name}.` });
    onClose();
  };
  return (
    <Dialog title="Add a feature" onClose={onClose}>
      <Form problem={add.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <p>
            It begins in <bdi>{pipeline.phases[0]?.name ?? "the first phase"}</bdi>. No targeting changes by that, and
            from now on the approvals that phases ask for count for it.
          </p>
          <ComboBox
            label="Feature"
            name="pipelineKey"
            isRequired
            choices={free.map(({ key, name }) => ({ key, label: name, detail: key }))}
            value={chosen}
            onChange={setChosen}
            hint="Features of other pipelines have to leave these first."
          />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={!chosen} isPending={add.pending}>
            Add
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
