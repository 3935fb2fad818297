// Somebody new. What they sign in with, a token, is made for them afterwards.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import type { Role } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { PEOPLE } from "./people.js";
import { RoleChoice } from "./role-choice.js";

export function AddPerson({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("readOnly");
  const add = useChange(() => client.POST(PEOPLE, { body: { name, role } }), { refresh: [[PEOPLE]] });
  const submit = async () => {
    const outcome = await add.run(undefined);
    if (outcome.kind !== "done") return;
    toast({
      tone: "good",
      text: `${name} was added, and needs a token to sign in.`,
      ...(outcome.value && { link: { href: `/tokens?for=${outcome.value.id}`, label: "Make one" } }),
    });
    onClose();
  };
  return (
    <Dialog title="Add a person" onClose={onClose}>
      <Form problem={add.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <TextField label="Name" name="name" autoFocus isRequired value={name} onChange={setName} />
          <RoleChoice value={role} onChange={setRole} />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={add.pending}>
            Add
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
