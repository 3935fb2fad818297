// What an administrator can do with a person: edit, create a set-up link, remove.
import { useState } from "react";
import { Menu } from "../../parts/button/menu.js";
import { EditPerson } from "./edit-person.js";
import type { Person } from "./people.js";
import { RemovePerson } from "./remove-person.js";
import { SetupLinkDialog } from "./setup-link-dialog.js";

export function PersonMenu({ person }: { person: Person }) {
  const [open, setOpen] = useState<"edit" | "link" | "remove">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={`Actions for ${person.name}`}
        actions={[
          { key: "edit", label: "Edit…", icon: "edit", run: () => setOpen("edit") },
          { key: "link", label: "Create set-up link", icon: "tokens", run: () => setOpen("link") },
          { key: "remove", label: "Remove…", icon: "trash", danger: true, run: () => setOpen("remove") },
        ]}
      />
      {open === "edit" && <EditPerson person={person} onClose={close} />}
      {open === "link" && <SetupLinkDialog person={person} onClose={close} />}
      {open === "remove" && <RemovePerson person={person} onClose={close} />}
    </>
  );
}
