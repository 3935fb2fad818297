// Edits the name and the conditions of an audience. New conditions affect all its uses at once, so saving asks first.
import { useState } from "react";
import { useAudiences } from "../../api/projects.js";
import type { Versioned } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ConditionList } from "../../parts/conditions/condition-list.js";
import { ConditionsEditor } from "../../parts/conditions/conditions-editor.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { canChangeTargeting } from "../../roles.js";
import { type Audience, attributesOf, type Use } from "./audiences.js";
import { useAudienceEditor } from "./use-audience-editor.js";
import { UseList } from "./uses.js";

interface AudienceEditorProps {
  project: string;
  stored: Versioned<Audience>;
  uses: readonly Use[];
}

export function AudienceEditor({ project, stored, uses }: AudienceEditorProps) {
  const { user } = useSession();
  const { draft, setDraft, dirty, conditionsChanged, theirs, resetToTheirs, discard, save, pending, problem } =
    useAudienceEditor(project, stored);
  const [confirming, setConfirming] = useState(false);
  const mayChange = uses.every(({ environment }) => canChangeTargeting(user.role, environment));
  const gated = uses.filter(({ approvalRequired }) => approvalRequired);
  const saveAndClose = async () => {
    await save();
    setConfirming(false);
  };
  const submit = () => (conditionsChanged && uses.length > 0 ? setConfirming(true) : void saveAndClose());
  return (
    <Form problem={problem} pending={pending} onSubmit={submit}>
      {theirs && <EditConflict theirs={theirs} yours={draft} onUseTheirs={resetToTheirs} />}
      <div className="audiences-name-field">
        <TextField
          label="Name"
          name="name"
          isRequired
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
        />
      </div>
      <fieldset className="fieldset">
        <legend className="field-label">Conditions</legend>
        {mayChange && gated.length === 0 ? (
          <Conditions
            project={project}
            value={draft.conditions}
            onChange={(conditions) => setDraft({ ...draft, conditions })}
          />
        ) : (
          <>
            <Banner tone="note">{mayChange ? <ApprovalRequired uses={gated} /> : PRODUCTION_ONLY}</Banner>
            <ConditionList conditions={draft.conditions} />
          </>
        )}
      </fieldset>
      <div className="buttons">
        <Button kind="primary" type="submit" isDisabled={!dirty} isPending={pending}>
          Save
        </Button>
        <Button isDisabled={!dirty || pending} onPress={discard}>
          Discard
        </Button>
      </div>
      {confirming && (
        <ConfirmSave
          uses={uses}
          pending={pending}
          onConfirm={() => void saveAndClose()}
          onClose={() => setConfirming(false)}
        />
      )}
    </Form>
  );
}

interface ConditionsProps {
  project: string;
  value: readonly Condition[];
  onChange: (conditions: Condition[]) => void;
}

function Conditions({ project, value, onChange }: ConditionsProps) {
  const audiences = useAudiences(project).data ?? [];
  return (
    <>
      <p className="field-hint">Match all conditions</p>
      <ConditionsEditor value={value} onChange={onChange} pointer="conditions" attributes={attributesOf(audiences)} />
    </>
  );
}

const PRODUCTION_ONLY = `This audience is used in production: only production editors and administrators can change its conditions. \
You can change its name.`;

/** Says why conditions cannot be changed: they would take effect at once. */
function ApprovalRequired({ uses }: { uses: readonly Use[] }) {
  return (
    <>
      <p>Other conditions would take effect at once, but a change requires an approval in:</p>
      <UseList uses={uses} />
      <p>Create another audience, and request a change of the rules instead. You can change the name.</p>
    </>
  );
}

interface ConfirmSaveProps {
  uses: readonly Use[];
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function ConfirmSave({ uses, pending, onConfirm, onClose }: ConfirmSaveProps) {
  const inProduction = uses.some(({ environment }) => environment.production);
  return (
    <ConfirmDialog
      title={inProduction ? "Change targeting in production?" : "Change targeting?"}
      confirm={uses.length === 1 ? "Change 1 use" : `Change ${uses.length} uses`}
      kind={inProduction ? "danger" : "primary"}
      onConfirm={onConfirm}
      onClose={onClose}
      pending={pending}
    >
      <p>The new conditions take effect immediately in:</p>
      <UseList uses={uses} />
    </ConfirmDialog>
  );
}
