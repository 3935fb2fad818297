// Adds a person, then shows the set-up link with which they create their own token.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import type { Role } from "../../api/session.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { PEOPLE, type Person } from "./people.js";
import { RoleSelect } from "./role.js";
import { SetupLinkDialog } from "./setup-link-dialog.js";

export function AddPerson({ onClose }: { onClose: () => void }) {
  const naming = useNaming();
  const { name } = naming;
  const [role, setRole] = useState<Role>("readOnly");
  const [added, setAdded] = useState<Person>();
  const add = useChange(() => client.POST(PEOPLE, { body: { name, role } }), { refresh: [[PEOPLE]] });
  if (added) return <SetupLinkDialog person={added} onClose={onClose} />;
  return (
    <CreateDialog title="Add person" naming={naming} create={add} submit="Add" onCreated={setAdded} onClose={onClose}>
      <RoleSelect value={role} onChange={setRole} />
    </CreateDialog>
  );
}
