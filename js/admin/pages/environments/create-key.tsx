// A new key of an environment. Its text is shown once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { KINDS } from "./key-kinds.js";
import type { KeysProps } from "./keys.js";

export function CreateKey({ kind, project, environmentKey, onClose }: KeysProps & { onClose: () => void }) {
  const { list, one, kept } = KINDS[kind];
  const [name, setName] = useState("");
  const [text, setText] = useState<string>();
  const create = useChange(
    () => client.POST(list, { params: { path: { projectKey: project, environmentKey } }, body: { name } }),
    { refresh: [[list]] },
  );
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind === "done" && outcome.value?.key) setText(outcome.value.key);
  };
  if (text !== undefined) {
    return (
      <SecretDialog title={`The new ${one}`} label={one} secret={text} onClose={onClose}>
        <p>{kept}</p>
      </SecretDialog>
    );
  }
  return (
    <Dialog title={`New ${one}`} onClose={onClose}>
      <Form problem={create.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <TextField
            label="Name"
            name="name"
            autoFocus
            isRequired
            value={name}
            onChange={setName}
            hint="Which page or program will use it."
          />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={create.pending}>
            Make the key
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
