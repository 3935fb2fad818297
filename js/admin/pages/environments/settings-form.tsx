// Edits the name and settings of an environment. In production it asks first and lists the consequences.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useEdit } from "../../api/edit.js";
import type { Versioned } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { ENVIRONMENT, type Environment, parseOrigins } from "./environments.js";
import { type Settings, SettingsFields } from "./settings-fields.js";

interface Draft extends Settings {
  name: string;
}

function draftOf({ name, production, approvalRequired, allowedOrigins }: Environment): Draft {
  return { name, production, approvalRequired, origins: allowedOrigins.join("\n") };
}

export function SettingsForm({ project, stored }: { project: string; stored: Versioned<Environment> }) {
  const before = draftOf(stored.value);
  const edit = useEdit(stored, draftOf);
  const [confirming, setConfirming] = useState(false);
  const { origins, ...draft } = edit.draft;
  const allowedOrigins = parseOrigins(origins);
  const save = useChange(() =>
    client.PATCH(ENVIRONMENT, {
      params: { path: { projectKey: project, environmentKey: stored.value.key }, header: ifMatch(edit.version) },
      body: { ...draft, allowedOrigins },
    }),
  );
  const consequences = consequencesOf(before, edit.draft);
  const send = async () => {
    const outcome = await save.run(undefined);
    setConfirming(false);
    if (outcome.kind === "conflict") edit.reportConflict();
    if (outcome.kind !== "done") return;
    edit.reportSaved(outcome, edit.draft);
    toast({ tone: "good", text: `${draft.name} was saved.` });
  };
  const submit = () => {
    if (!edit.changed) return;
    if (before.production && consequences.length > 0) setConfirming(true);
    else void send();
  };
  return (
    <Form problem={save.problem} pending={save.pending} onSubmit={submit}>
      <div className="environments-settings">
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onUseTheirs={edit.reset} />}
        <TextField label="Name" name="name" isRequired value={draft.name} onChange={(name) => edit.update({ name })} />
        <SettingsFields settings={edit.draft} onChange={edit.update} />
        <div className="buttons">
          <Button kind="primary" type="submit" isDisabled={!edit.changed} isPending={save.pending && !confirming}>
            Save
          </Button>
          <Button isDisabled={!edit.changed || save.pending} onPress={edit.reset}>
            Discard
          </Button>
        </div>
      </div>
      {confirming && (
        <ConfirmDialog
          title="Change a production environment?"
          onClose={() => setConfirming(false)}
          confirm="Save changes"
          onConfirm={() => void send()}
          pending={save.pending}
        >
          <ul className="environments-consequences">
            {consequences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </Form>
  );
}

/** What the change means for editors, approvers and pages. A new name means nothing to them. */
function consequencesOf(before: Draft, after: Draft): string[] {
  const origins = parseOrigins(after.origins);
  return [
    before.production &&
      !after.production &&
      "Editors can change its targeting, and changes no longer ask for confirmation.",
    before.approvalRequired && !after.approvalRequired && "Targeting changes no longer need approval.",
    !before.approvalRequired && after.approvalRequired && "Every targeting change needs approval.",
    before.origins !== after.origins &&
      (origins.length === 0
        ? "Pages on any origin can use its client keys."
        : `Only pages on ${origins.join(", ")} can use its client keys. Pages on other origins get no features.`),
  ].filter((sentence) => sentence !== false);
}
