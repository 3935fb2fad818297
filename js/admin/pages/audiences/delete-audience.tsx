// Deletes an audience after confirmation. The server refuses while a rule uses it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { AUDIENCE, AUDIENCES, type Audience } from "./audiences.js";

interface DeleteAudienceProps {
  project: string;
  stored: Versioned<Audience>;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteAudience({ project, stored, onClose, onDeleted }: DeleteAudienceProps) {
  const { key, name } = stored.value;
  const remove = useChange(
    () =>
      client.DELETE(AUDIENCE, {
        params: { path: { projectKey: project, audienceKey: key }, header: ifMatch(stored.version) },
      }),
    { refresh: [[AUDIENCES]] },
  );
  return (
    <DeleteDialog kind="audience" name={name} change={remove} onDone={onDeleted} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will be deleted permanently. No rule uses it, so no user is affected.
      </p>
    </DeleteDialog>
  );
}
