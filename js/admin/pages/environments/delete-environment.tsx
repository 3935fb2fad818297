// An environment deleted, with all that is in it, once its key was written.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { deletionBy } from "../../parts/deletion.js";
import { TypedConfirmation } from "../../parts/typed-confirmation.js";
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
  const deletion = deletionBy(remove, { name, onClose, onDeleted });
  return (
    <TypedConfirmation
      title="Delete this environment?"
      expected={key}
      confirm="Delete the environment"
      onConfirm={deletion.confirm}
      onClose={onClose}
      pending={deletion.pending}
      problem={deletion.problem}
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        is gone for good, with the targeting of every feature in it, its own audiences, its keys and its goals. Pages
        and servers that use its keys are refused at once.
      </p>
    </TypedConfirmation>
  );
}
