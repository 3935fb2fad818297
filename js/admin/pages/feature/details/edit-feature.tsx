// Edits a feature: name, description, tags, variants, approval and pipeline.
import { useEffect, useState } from "react";
import { useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import { Button } from "../../../parts/button/button.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { Diff } from "../../../parts/display/diff.js";
import { approvalGates } from "../../../parts/feature/approval-gates.js";
import { ApprovalNote, CommentField } from "../../../parts/feature/approval-request.js";
import { approvalRequested } from "../../../parts/feedback/approval-requested.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { toast } from "../../../parts/feedback/toast.js";
import type { Environment, Feature, Pipeline } from "../feature.js";
import { type EditableFields, editableFields, FeatureFields } from "./feature-fields.js";

interface EditFeatureProps {
  project: string;
  feature: Feature;
  version: string | undefined;
  environments: readonly Environment[];
  pipelines: readonly Pipeline[];
  onClose: () => void;
}

export function EditFeature({ project, feature, version, environments, pipelines, onClose }: EditFeatureProps) {
  const [fields, setFields] = useState(() => editableFields(feature));
  /** The version that the edit is based on; the current one, once the person has seen a conflict with it. */
  const [base, setBase] = useState({ feature, version });
  const [conflict, setConflict] = useState(false);
  const [comment, setComment] = useState("");
  const gates = becomesString(base.feature, fields) ? approvalGates(base.feature, environments, pipelines) : [];
  const needsApproval = gates.length > 0;

  const change = useChange((body: Partial<EditableFields> & { comment?: string }) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: feature.key }, header: ifMatch(base.version) },
      body,
    }),
  );
  const submit = async () => {
    const changed = changedFields(fields, editableFields(base.feature));
    const outcome = await change.run(needsApproval ? { ...changed, comment: comment.trim() } : changed);
    if (outcome.kind === "conflict") setConflict(true);
    if (outcome.kind === "done") toast({ tone: "good", text: `${fields.name} was saved.` });
    else if (outcome.kind === "approvalRequested") {
      const text = `Approval requested for ${feature.name}. Nothing has changed yet.`;
      toast(approvalRequested(project, outcome.approval, text));
    } else return;
    onClose();
  };
  // The answer to an earlier save was lost: what is stored is what was typed.
  const isSaved = conflict && Object.keys(changedFields(fields, editableFields(feature))).length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!isSaved) return;
    toast({ tone: "good", text: `${fields.name} was saved.` });
    onClose();
  }, [isSaved]);
  const resolve = (chosen: EditableFields) => {
    setFields(chosen);
    setBase({ feature, version });
    setConflict(false);
  };
  return (
    <Dialog title={`Edit ${feature.name}`} onClose={onClose}>
      <DialogForm
        problem={change.problem}
        pending={change.pending}
        submit={needsApproval ? "Request approval" : "Save"}
        isSubmitDisabled={conflict}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        {conflict && <Conflict theirs={editableFields(feature)} mine={fields} onResolve={resolve} />}
        <FeatureFields
          fields={fields}
          onChange={(changes) => setFields((old) => ({ ...old, ...changes }))}
          pipelines={pipelines}
          requiresApproval={base.feature.approvalRequired}
        />
        {needsApproval && <ApprovalNote gates={gates} />}
        {needsApproval && <CommentField value={comment} onChange={setComment} forApprovers />}
      </DialogForm>
    </Dialog>
  );
}

/** Whether clients get values of another type from now on: the only edit here that can need an approval. */
function becomesString({ type }: Feature, { variants }: EditableFields): boolean {
  return type === "boolean" && variants.some((variant) => variant !== "on" && variant !== "off");
}

function changedFields(fields: EditableFields, base: EditableFields): Partial<EditableFields> {
  const names = Object.keys(fields) as (keyof EditableFields)[];
  const changed = names.filter((name) => JSON.stringify(fields[name]) !== JSON.stringify(base[name]));
  return Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

interface ConflictProps {
  theirs: EditableFields;
  mine: EditableFields;
  onResolve: (chosen: EditableFields) => void;
}

function Conflict({ theirs, mine, onResolve }: ConflictProps) {
  return (
    <>
      <Banner tone="warn">
        Someone else has changed this feature since you started. Your changes are not saved yet.
      </Banner>
      <Diff before={theirs} after={mine} labels={["Theirs", "Yours"]} />
      <div className="buttons">
        <Button onPress={() => onResolve(theirs)}>Use theirs</Button>
        <Button onPress={() => onResolve(mine)}>Keep mine</Button>
      </div>
    </>
  );
}
