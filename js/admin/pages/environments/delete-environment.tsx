// Deletes an environment and everything in it, once its key was typed.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { ENVIRONMENT, ENVIRONMENTS, type Environment } from "./environments.js";

interface DeleteEnvironmentProps {
  project: string;
  stored: Versioned<Environment>;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteEnvironment({ project, stored, onClose, onDeleted }: DeleteEnvironmentProps) {
  const { key, name } = stored.value;
  const remove = useChange(
    () =>
      client.DELETE(ENVIRONMENT, {
        params: { path: { projectKey: project, environmentKey: key }, header: ifMatch(stored.version) },
      }),
    { refresh: [[ENVIRONMENTS]] },
  );
  return (
    <DeleteDialog kind="environment" name={name} typedKey={key} change={remove} onDone={onDeleted} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will be deleted permanently, with the targeting of every feature in it and with its audiences, keys and goals.
        Pages and servers that use its keys will be rejected immediately.
      </p>
    </DeleteDialog>
  );
}
