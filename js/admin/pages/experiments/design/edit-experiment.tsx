// Edits a draft: its name and what it measures.
import { useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import { useEdit } from "../../../api/edit.js";
import type { Versioned } from "../../../api/queries.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { EXPERIMENTS } from "../../../parts/feature/use-experiments.js";
import { toast } from "../../../parts/feedback/toast.js";
import { EditConflict } from "../../../parts/form/edit-conflict.js";
import { TextField } from "../../../parts/form/text-field.js";
import { EXPERIMENT, type Experiment, type Place, pathOf } from "../experiments.js";
import { bodyOf, type Design, designOf } from "./design.js";
import { DesignFields } from "./design-fields.js";

interface EditExperimentProps {
  place: Place;
  variants: readonly string[];
  stored: Versioned<Experiment>;
  onClose: () => void;
}

interface Draft {
  name: string;
  design: Design;
}

export function EditExperiment({ place, variants, stored, onClose }: EditExperimentProps) {
  const edit = useEdit<Experiment, Draft>(stored, (value) => ({ name: value.name, design: designOf(value) }));
  const { name, design } = edit.draft;
  const save = useChange(
    () =>
      client.PATCH(EXPERIMENT, {
        params: { path: pathOf(place), header: ifMatch(edit.version) },
        body: { name, ...bodyOf(design) },
      }),
    { refresh: [[EXPERIMENTS], [EXPERIMENT]] },
  );
  const send = async () => {
    const outcome = await save.run(undefined);
    if (outcome.kind === "conflict") edit.reportConflict();
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${name} was saved.` });
    onClose();
  };
  return (
    <Dialog title="Edit experiment" onClose={onClose} wide>
      <DialogForm
        problem={save.problem}
        pending={save.pending}
        submit="Save"
        isSubmitDisabled={!edit.changed}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onUseTheirs={edit.reset} />}
        <TextField label="Name" name="name" isRequired value={name} onChange={(name) => edit.update({ name })} />
        <DesignFields
          project={place.project}
          environment={place.environment}
          variants={variants}
          design={design}
          onChange={(part) => edit.update({ design: { ...design, ...part } })}
        />
      </DialogForm>
    </Dialog>
  );
}
