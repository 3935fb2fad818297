// What an administrator can do with a person: edit, create a token, remove.
import { useState } from "react";
import { useNavigate } from "react-router";
import { Menu } from "../../parts/button/menu.js";
import { EditPerson } from "./edit-person.js";
import type { Person } from "./people.js";
import { RemovePerson } from "./remove-person.js";

export function PersonMenu({ person }: { person: Person }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "remove">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={`Actions for ${person.name}`}
        actions={[
          { key: "edit", label: "Edit…", icon: "edit", run: () => setOpen("edit") },
          {
            key: "token",
            label: "Create token…",
            icon: "tokens",
            run: () => void navigate(`/tokens?for=${person.id}`),
          },
          { key: "remove", label: "Remove…", icon: "trash", danger: true, run: () => setOpen("remove") },
        ]}
      />
      {open === "edit" && <EditPerson person={person} onClose={close} />}
      {open === "remove" && <RemovePerson person={person} onClose={close} />}
    </>
  );
}
