// The name of the organisation, which administrators can change.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, ifMatch } from "../../api/client.js";
import { resource } from "../../api/queries.js";
import { readSession, useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { RenameDialog } from "../../parts/dialog/rename-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { hasRole } from "../../roles.js";
import { ORGANISATION } from "./projects.js";

export function Organisation() {
  const { user, organisation } = useSession();
  const [renaming, setRenaming] = useState(false);
  return (
    <section className="projects-organisation" aria-label="Organisation">
      <span>
        Organisation:{" "}
        <strong>
          <bdi>{organisation.name}</bdi>
        </strong>
      </span>
      {hasRole(user.role, "administrator") && (
        <Button kind="quiet" icon="edit" onPress={() => setRenaming(true)}>
          Rename…
        </Button>
      )}
      {renaming && <RenameOrganisation onClose={() => setRenaming(false)} />}
    </section>
  );
}

function RenameOrganisation({ onClose }: { onClose: () => void }) {
  const stored = useQuery(resource(ORGANISATION));
  const onDone = async (name: string) => {
    toast({ tone: "good", text: `The organisation was renamed to ${name}.` });
    onClose();
    // The shell shows the name on every page.
    await readSession().catch(() => {});
  };
  return (
    <RenameDialog
      title="Rename organisation"
      stored={stored}
      send={(name, version) => client.PATCH(ORGANISATION, { params: { header: ifMatch(version) }, body: { name } })}
      onDone={(name) => void onDone(name)}
      onClose={onClose}
    />
  );
}
