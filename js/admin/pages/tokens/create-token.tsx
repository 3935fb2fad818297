// Creates a token, for oneself or, by an administrator, for another person; then shows it once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Select } from "../../parts/choice/select.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";
import { useNaming } from "../../parts/form/name-and-key.js";
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
  /** The id of the owner that is selected first. */
  defaultOwner: string;
  onClose: () => void;
}

export function CreateToken({ people = [], defaultOwner, onClose }: CreateTokenProps) {
  const { user } = useSession();
  const naming = useNaming();
  const [owner, setOwner] = useState(defaultOwner);
  const [days, setDays] = useState("90");
  const [secret, setSecret] = useState<string>();
  const create = useChange(
    () =>
      client.POST(TOKENS, {
        body: {
          name: naming.name,
          ...(owner && owner !== user.id && { userId: owner }),
          ...(days !== NEVER && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        },
      }),
    { refresh: [[TOKENS]] },
  );
  if (secret !== undefined) {
    return (
      <SecretDialog title="Token created" label="token" secret={secret} onClose={onClose}>
        <p>
          Anyone who has it can act as{" "}
          <strong>
            <bdi>{people.find(({ id }) => id === owner)?.name ?? user.name}</bdi>
          </strong>
          . Keep it like a password.
        </p>
      </SecretDialog>
    );
  }
  return (
    <CreateDialog
      title="New token"
      naming={naming}
      nameHint="What it is for, so you know which one to revoke."
      create={create}
      submit="Create token"
      isSubmitDisabled={owner === ""}
      onCreated={({ token }) => token && setSecret(token)}
      onClose={onClose}
    >
      {hasRole(user.role, "administrator") ? (
        <OwnerField people={people} value={owner} onChange={setOwner} />
      ) : (
        <p>
          It will have your role: <strong>{roleName(user.role)}</strong>.
        </p>
      )}
      <Select label="Expires" name="expiresAt" choices={EXPIRIES} value={days} onChange={setDays} />
    </CreateDialog>
  );
}

interface OwnerFieldProps {
  people: readonly Person[];
  value: string;
  onChange: (id: string) => void;
}

function OwnerField({ people, value, onChange }: OwnerFieldProps) {
  return (
    <ComboBox
      label="Owner"
      name="userId"
      isRequired
      choices={people.map(({ id, name, role }) => ({ key: id, label: name, detail: roleName(role) }))}
      value={value}
      onChange={onChange}
      hint="The token has the owner's role, and is revoked if the person is removed."
    />
  );
}
