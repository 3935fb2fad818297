// A new token, for oneself or by an administrator for somebody else. Its text is shown once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Select } from "../../parts/choice/select.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { hasRole, roleName } from "../../roles.js";
import { type Person, TOKENS } from "./tokens.js";

const DAY_MS = 86_400_000;
const NEVER = "never";
const EXPIRIES = [
  { key: "30", label: "In 30 days" },
  { key: "90", label: "In 90 days" },
  { key: "365", label: "In a year" },
  { key: NEVER, label: "Never" },
];

interface CreateTokenProps {
  people: readonly Person[] | undefined;
  owner: string;
  onClose: () => void;
}

export function CreateToken({ people = [], owner: first, onClose }: CreateTokenProps) {
  const { user } = useSession();
  const [name, setName] = useState("");
  const [owner, setOwner] = useState(first);
  const [days, setDays] = useState("90");
  const [text, setText] = useState<string>();
  const create = useChange(
    () =>
      client.POST(TOKENS, {
        body: {
          name,
          ...(owner && owner !== user.id && { userId: owner }),
          ...(days !== NEVER && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        },
      }),
    { refresh: [[TOKENS]] },
  );
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind === "done" && outcome.value?.token) setText(outcome.value.token);
  };
  if (text !== undefined) {
    return (
      <SecretDialog title="The new token" label="token" secret={text} onClose={onClose}>
        <p>
          Whoever has it acts as{" "}
          <strong>
            <bdi>{people.find(({ id }) => id === owner)?.name ?? user.name}</bdi>
          </strong>
          . Keep it as you keep a password.
        </p>
      </SecretDialog>
    );
  }
  return (
    <Dialog title="New token" onClose={onClose}>
      <Form problem={create.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <TextField
            label="Name"
            name="name"
            autoFocus
            isRequired
            value={name}
            onChange={setName}
            hint="What it is for, so that it is known when it is to be revoked."
          />
          {hasRole(user.role, "administrator") ? (
            <ComboBox
              label="Whose"
              name="userId"
              isRequired
              choices={people.map(({ id, name, role }) => ({ key: id, label: name, detail: roleName(role) }))}
              value={owner}
              onChange={setOwner}
              hint="It has that person's role, and loses it with them."
            />
          ) : (
            <p>
              It has your role: <strong>{roleName(user.role)}</strong>.
            </p>
          )}
          <Select label="Expires" name="expiresAt" choices={EXPIRIES} value={days} onChange={setDays} />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={owner === ""} isPending={create.pending}>
            Make the token
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
