// Deletes a connection after confirmation, together with its queued changes.
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { INTEGRATION, INTEGRATIONS, type Integration } from "./integrations.js";
import { KINDS, placeOf } from "./kinds.js";

interface DeleteConnectionProps {
  integration: Integration;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}

export function DeleteConnection({ integration, onClose, onDeleted }: DeleteConnectionProps) {
  const { id, type, backlog } = integration;
  const { noun, name, afterDeletion } = KINDS[type];
  const remove = useChange(() => client.DELETE(INTEGRATION, { params: { path: { id } } }), {
    refresh: [[INTEGRATIONS]],
  });
  const onDone = () => {
    onClose();
    onDeleted?.();
  };
  return (
    <DeleteDialog kind="connection" name={`The ${noun}`} change={remove} onDone={onDone} onClose={onClose}>
      <p>
        Changes will no longer be sent to <strong>{name}</strong>{" "}
        {type === "analytics" ? `in the ${placeOf(integration)} region` : `at ${placeOf(integration)}`}. {afterDeletion}
      </p>
      {backlog.waiting > 0 && (
        <p>
          <strong>
            {backlog.waiting === 1
              ? "1 queued change will not be delivered."
              : `${backlog.waiting.toLocaleString("en-GB")} queued changes will not be delivered.`}
          </strong>
        </p>
      )}
    </DeleteDialog>
  );
}
