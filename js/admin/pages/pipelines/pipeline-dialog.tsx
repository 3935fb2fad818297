// A pipeline made or changed: its name, and its phases in order.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useEdit } from "../../api/edit.js";
import type { Versioned } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { Form } from "../../parts/form/form.js";
import { NameAndKey, useNaming } from "../../parts/form/name-and-key.js";
import { TextField } from "../../parts/form/text-field.js";
import { PhasesEditor } from "./phases-editor.js";
import { type Environment, FEATURES, type Phase, PIPELINE, PIPELINES, type Pipeline } from "./pipelines.js";

interface PipelineDialogProps {
  project: string;
  environments: readonly Environment[];
  /** The one that is changed; a new one without. */
  stored?: Versioned<Pipeline>;
  onClose: () => void;
}

export function PipelineDialog({ stored, ...props }: PipelineDialogProps) {
  return (
    <Dialog title={stored ? "Change the pipeline" : "New pipeline"} onClose={props.onClose} wide>
      {stored ? <Changed {...props} stored={stored} /> : <New {...props} />}
    </Dialog>
  );
}

function New({ project, environments, onClose }: Omit<PipelineDialogProps, "stored">) {
  const navigate = useNavigate();
  const naming = useNaming();
  const { name, key } = naming;
  const [phases, setPhases] = useState<readonly Phase[]>(() =>
    environments.map((environment) => ({
      name: environment.name,
      environmentKey: environment.key,
      approvalRequired: false,
    })),
  );
  const create = useChange(
    () =>
      client.POST(PIPELINES, { params: { path: { projectKey: project } }, body: { key, name, phases: [...phases] } }),
    { refresh: [[PIPELINES]] },
  );
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${name} was created. Features can be added to it now.` });
    onClose();
    void navigate(`/projects/${project}/pipelines/${key}`);
  };
  return (
    <Form problem={create.problem} onSubmit={() => void submit()}>
      <DialogBody>
        <NameAndKey naming={naming} keyHint="Used in URLs; can't be changed later." />
        <PhasesEditor phases={phases} environments={environments} onChange={setPhases} />
      </DialogBody>
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isPending={create.pending}>
          Create
        </Button>
      </DialogButtons>
    </Form>
  );
}

type ChangedProps = PipelineDialogProps & { stored: Versioned<Pipeline> };

function Changed({ project, environments, stored, onClose }: ChangedProps) {
  const edit = useEdit(stored, ({ name, phases }) => ({ name, phases }));
  const { name, phases } = edit.draft;
  const [asking, setAsking] = useState(false);
  const save = useChange(
    () =>
      client.PATCH(PIPELINE, {
        params: { path: { projectKey: project, pipelineKey: stored.value.key }, header: ifMatch(edit.version) },
        body: { name, phases },
      }),
    { refresh: [[PIPELINES], [PIPELINE], [FEATURES]] },
  );
  const lost = lostApprovals(stored.value.phases, phases);
  const confirm = async () => {
    const outcome = await save.run(undefined);
    setAsking(false);
    if (outcome.kind === "conflict") edit.meet();
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${name} was saved.` });
    onClose();
  };
  return (
    <Form problem={save.problem} onSubmit={() => (lost.length > 0 ? setAsking(true) : void confirm())}>
      <DialogBody>
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onTakeTheirs={edit.takeTheirs} />}
        <TextField label="Name" name="name" isRequired value={name} onChange={(name) => edit.change({ name })} />
        <PhasesEditor
          phases={phases}
          environments={environments}
          onChange={(phases) => edit.change({ phases: [...phases] })}
        />
      </DialogBody>
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isDisabled={!edit.changed} isPending={save.pending && !asking}>
          Save
        </Button>
      </DialogButtons>
      {asking && (
        <ConfirmDialog
          title="Take approvals away?"
          onClose={() => setAsking(false)}
          confirm="Save without them"
          kind="danger"
          onConfirm={() => void confirm()}
          pending={save.pending}
        >
          <p>
            Changes of the features in this pipeline no longer wait for its approval in{" "}
            <strong>
              <bdi>{lost.join(", ")}</bdi>
            </strong>
            .
          </p>
        </ConfirmDialog>
      )}
    </Form>
  );
}

/** The phases whose approval is required until now and would not be afterwards. */
function lostApprovals(before: readonly Phase[], after: readonly Phase[]): string[] {
  const kept = new Set(after.filter((phase) => phase.approvalRequired).map((phase) => phase.environmentKey));
  return before.filter((phase) => phase.approvalRequired && !kept.has(phase.environmentKey)).map(({ name }) => name);
}
