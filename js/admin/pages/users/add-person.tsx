// Adds a person. To sign in they need a token, which is created on the tokens page.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import type { Role } from "../../api/session.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { PEOPLE, type Person } from "./people.js";
import { RoleSelect } from "./role.js";

export function AddPerson({ onClose }: { onClose: () => void }) {
  const naming = useNaming();
  const { name } = naming;
  const [role, setRole] = useState<Role>("readOnly");
  const add = useChange(() => client.POST(PEOPLE, { body: { name, role } }), { refresh: [[PEOPLE]] });
  const onCreated = ({ id }: Person) => {
    const link = { href: `/tokens?for=${id}`, label: "Create token" };
    toast({ tone: "good", text: `${name} was added. They need a token to sign in.`, link });
    onClose();
  };
  return (
    <CreateDialog title="Add person" naming={naming} create={add} submit="Add" onCreated={onCreated} onClose={onClose}>
      <RoleSelect value={role} onChange={setRole} />
    </CreateDialog>
  );
}
