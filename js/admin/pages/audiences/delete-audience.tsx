// Deletes an audience after confirmation. The server refuses while a rule uses it.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { AUDIENCE, AUDIENCES, type Audience } from "./audiences.js";

interface DeleteAudienceProps {
  project: string;
  stored: Versioned<Audience>;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteAudience({ project, stored, onDeleted, onClose }: DeleteAudienceProps) {
  const { key, name } = stored.value;
  const change = useChange(
    () =>
      client.DELETE(AUDIENCE, {
        params: { path: { projectKey: project, audienceKey: key }, header: ifMatch(stored.version) },
      }),
    { refresh: [[AUDIENCES]] },
  );
  return (
    <DeleteDialog kind="audience" name={name} change={change} onDone={onDeleted} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will be deleted permanently. No rule uses it, so no user is affected.
      </p>
    </DeleteDialog>
  );
}
