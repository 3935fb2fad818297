// Name and settings of an environment, changed. In production it asks first, and says what becomes of it.
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
import { atOrigins, ENVIRONMENT, type Environment, originsFrom } from "./environments.js";
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
  const [asking, setAsking] = useState(false);
  const { origins, ...draft } = edit.draft;
  const allowedOrigins = originsFrom(origins);
  const save = useChange(() =>
    client.PATCH(ENVIRONMENT, {
      params: { path: { projectKey: project, environmentKey: stored.value.key }, header: ifMatch(edit.version) },
      body: { ...draft, allowedOrigins },
    }),
  );
  const consequences = consequencesOf(before, edit.draft);
  const confirm = async () => {
    const outcome = await save.run(undefined);
    setAsking(false);
    if (outcome.kind === "conflict") edit.meet();
    if (outcome.kind !== "done") return;
    edit.saved();
    toast({ tone: "good", text: `${draft.name} was saved.` });
  };
  const submit = () => {
    if (!edit.changed) return;
    if (before.production && consequences.length > 0) setAsking(true);
    else void confirm();
  };
  return (
    <Form problem={atOrigins(save.problem, allowedOrigins)} onSubmit={submit}>
      <div className="environments-settings">
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onTakeTheirs={edit.takeTheirs} />}
        <TextField label="Name" name="name" isRequired value={draft.name} onChange={(name) => edit.change({ name })} />
        <SettingsFields settings={edit.draft} onChange={edit.change} />
        <div className="environments-buttons">
          <Button kind="primary" type="submit" isDisabled={!edit.changed} isPending={save.pending && !asking}>
            Save
          </Button>
          <Button isDisabled={!edit.changed} onPress={edit.takeTheirs}>
            Discard
          </Button>
        </div>
      </div>
      {asking && (
        <ConfirmDialog
          title="Change a production environment?"
          onClose={() => setAsking(false)}
          confirm={`Save ${before.name}`}
          onConfirm={() => void confirm()}
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

/** What becomes of it, for those whom it concerns. A name concerns nobody outside. */
function consequencesOf(before: Draft, after: Draft): string[] {
  const origins = originsFrom(after.origins);
  return [
    before.production && !after.production && "Editors may change its targeting, and no page asks before.",
    before.approvalRequired && !after.approvalRequired && "Changes of its targeting no longer wait for an approval.",
    !before.approvalRequired && after.approvalRequired && "Every change of its targeting waits for an approval.",
    before.origins !== after.origins &&
      (origins.length === 0
        ? "Pages of every origin may use its client keys."
        : `Only pages of ${origins.join(", ")} may use its client keys; all others get no features.`),
  ].filter((sentence) => sentence !== false);
}
