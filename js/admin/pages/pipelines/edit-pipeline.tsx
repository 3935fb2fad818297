// Edits the name and the phases of a pipeline. It asks first when a required approval would be removed.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useEdit } from "../../api/edit.js";
import type { Versioned } from "../../api/queries.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Dialog } from "../../parts/dialog/dialog.js";
import { DialogForm } from "../../parts/dialog/dialog-form.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { TextField } from "../../parts/form/text-field.js";
import { PhasesEditor } from "./phases-editor.js";
import { type Environment, FEATURES, type Phase, PIPELINE, PIPELINES, type Pipeline } from "./pipelines.js";

interface EditPipelineProps {
  project: string;
  environments: readonly Environment[];
  stored: Versioned<Pipeline>;
  onClose: () => void;
}

export function EditPipeline({ project, environments, stored, onClose }: EditPipelineProps) {
  const edit = useEdit(stored, ({ name, phases }) => ({ name, phases }));
  const { name, phases } = edit.draft;
  const [confirming, setConfirming] = useState(false);
  const save = useChange(
    () =>
      client.PATCH(PIPELINE, {
        params: { path: { projectKey: project, pipelineKey: stored.value.key }, header: ifMatch(edit.version) },
        body: { name, phases },
      }),
    { refresh: [[PIPELINES], [PIPELINE], [FEATURES]] },
  );
  const unguarded = phasesLosingApproval(stored.value.phases, phases);
  const send = async () => {
    const outcome = await save.run(undefined);
    setConfirming(false);
    if (outcome.kind === "conflict") edit.reportConflict();
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${name} was saved.` });
    onClose();
  };
  return (
    <Dialog title="Edit pipeline" onClose={onClose} wide>
      <DialogForm
        problem={save.problem}
        pending={save.pending && !confirming}
        submit="Save"
        isSubmitDisabled={!edit.changed}
        onSubmit={() => (unguarded.length > 0 ? setConfirming(true) : void send())}
        onCancel={onClose}
      >
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onUseTheirs={edit.reset} />}
        <TextField label="Name" name="name" isRequired value={name} onChange={(name) => edit.update({ name })} />
        <PhasesEditor
          phases={phases}
          environments={environments}
          onChange={(phases) => edit.update({ phases: [...phases] })}
        />
      </DialogForm>
      {confirming && (
        <ConfirmDialog
          title="Stop requiring approval?"
          onClose={() => setConfirming(false)}
          confirm="Save anyway"
          kind="danger"
          onConfirm={() => void send()}
          pending={save.pending}
        >
          <p>
            The pipeline will no longer require approval for targeting changes in{" "}
            <strong>
              <bdi>{unguarded.join(", ")}</bdi>
            </strong>
            .
          </p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

/** The names of the phases that require approval before the edit and not after it. */
function phasesLosingApproval(before: readonly Phase[], after: readonly Phase[]): string[] {
  const guarded = new Set(after.filter((phase) => phase.approvalRequired).map((phase) => phase.environmentKey));
  return before.filter((phase) => phase.approvalRequired && !guarded.has(phase.environmentKey)).map(({ name }) => name);
}
