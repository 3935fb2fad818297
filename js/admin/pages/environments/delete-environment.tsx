// An environment deleted, with all that is in it, once its key was written.
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Versioned } from "../../api/queries.js";
import { toast } from "../../parts/toast.js";
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
  const confirm = async () => {
    const outcome = await remove.run(undefined);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: `${name} was deleted.` });
      onDeleted();
    } else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `Somebody else has just changed ${name}. It was not deleted; look again.` });
      onClose();
    }
  };
  return (
    <TypedConfirmation
      title="Delete this environment?"
      expected={key}
      confirm="Delete the environment"
      onConfirm={() => void confirm()}
      onClose={onClose}
      pending={remove.pending}
      problem={remove.problem}
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
