// Stops an experiment with a decision. The targeting stays as it is: rolling the variant out is another step.
import { useState } from "react";
import { Link } from "wouter";
import { useChange } from "../../../api/changes.js";
import { client } from "../../../api/client.js";
import { Select } from "../../../parts/choice/select.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { toast } from "../../../parts/feedback/toast.js";
import { TextField } from "../../../parts/form/text-field.js";
import { EXPERIMENT, type Experiment, type Place, pathOf } from "../experiments.js";

/** No key of a variant is empty. */
const NONE = "";

interface StopExperimentProps {
  place: Place;
  experiment: Experiment;
  variants: readonly string[];
  /** The address of the feature's targeting. */
  targeting: string;
  onClose: () => void;
}

export function StopExperiment({ place, experiment, variants, targeting, onClose }: StopExperimentProps) {
  const [variant, setVariant] = useState(NONE);
  const [note, setNote] = useState("");
  const stop = useChange(() =>
    client.POST(`${EXPERIMENT}/stop`, {
      params: { path: pathOf(place) },
      body: { ...(variant !== NONE && { decisionVariantKey: variant }), ...(note.trim() && { note }) },
    }),
  );
  const send = async () => {
    const outcome = await stop.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${experiment.name} was stopped.` });
    onClose();
  };
  return (
    <Dialog title="Stop this experiment?" onClose={onClose}>
      <DialogForm
        problem={stop.problem}
        pending={stop.pending}
        submit="Stop experiment"
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        <p>
          Nothing more is counted, and it can't be started again. Its results stay. Users keep getting the same
          variants: to serve one variant to everyone, change the <Link href={targeting}>targeting</Link>.
        </p>
        <Select
          label="Decision"
          name="decisionVariantKey"
          choices={[
            { key: NONE, label: "No decision", detail: "The experiment shows nothing." },
            ...variants.map((key) => ({
              key,
              label: `Keep ${key}`,
              ...(key === experiment.controlVariantKey && { detail: "The control." }),
            })),
          ]}
          value={variant}
          onChange={setVariant}
        />
        <TextField label="Note" name="note" isRequired={false} lines={3} value={note} onChange={setNote} hint="Why." />
      </DialogForm>
    </Dialog>
  );
}
