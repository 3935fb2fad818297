// Creates a token for the person who is signed in, then shows it once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Select } from "../../parts/choice/select.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { roleName } from "../../roles.js";
import { scopeOf, WITHOUT_SCOPE } from "./scope.js";
import { ScopeFields } from "./scope-fields.js";
import { DAY_MS, TOKENS } from "./tokens.js";

const NEVER = "never";
const NEVER_EXPIRES = "It works until someone revokes it.";
const EXPIRIES = [
  { key: "30", label: "In 30 days" },
  { key: "90", label: "In 90 days" },
  { key: "365", label: "In a year" },
  { key: NEVER, label: "Never", detail: NEVER_EXPIRES },
];

export function CreateToken({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const naming = useNaming();
  const [days, setDays] = useState("90");
  const [draft, setDraft] = useState(WITHOUT_SCOPE);
  const scope = scopeOf(draft);
  const [secret, setSecret] = useState<string>();
  const create = useChange(
    () =>
      client.POST(TOKENS, {
        body: {
          name: naming.name,
          // Without an expiry, the server sets one: null means never.
          expiresAt: days === NEVER ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
          ...(scope && { scope }),
        },
      }),
    { refresh: [[TOKENS]] },
  );
  if (secret !== undefined) {
    return (
      <SecretDialog title="Token created" label="token" secret={secret} onClose={onClose}>
        <p>Anyone who has it can act as you{scope && ", within its scope"}. Keep it like a password.</p>
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
      isSubmitDisabled={draft.limited && draft.places.length === 0}
      onCreated={({ token }) => token && setSecret(token)}
      onClose={onClose}
    >
      <p>
        It will have your role: <strong>{roleName(user.role)}</strong>.
      </p>
      <Select
        label="Expires"
        name="expiresAt"
        hint={days === NEVER && NEVER_EXPIRES}
        choices={EXPIRIES}
        value={days}
        onChange={setDays}
      />
      <ScopeFields draft={draft} onChange={setDraft} />
    </CreateDialog>
  );
}
