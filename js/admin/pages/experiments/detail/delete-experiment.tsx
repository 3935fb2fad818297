// Deletes an experiment that does not run, after confirmation.
import { useChange } from "../../../api/changes.js";
import { client, ifMatch } from "../../../api/client.js";
import { DeleteDialog } from "../../../parts/dialog/delete-dialog.js";
import { EXPERIMENTS } from "../../../parts/feature/use-experiments.js";
import { EXPERIMENT, type Experiment, type Place, pathOf } from "../experiments.js";

interface DeleteExperimentProps {
  place: Place;
  experiment: Experiment;
  version: string | undefined;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteExperiment({ place, experiment, version, onClose, onDeleted }: DeleteExperimentProps) {
  const { name, state } = experiment;
  const remove = useChange(
    () => client.DELETE(EXPERIMENT, { params: { path: pathOf(place), header: ifMatch(version) } }),
    { refresh: [[EXPERIMENTS]] },
  );
  return (
    <DeleteDialog kind="experiment" name={name} change={remove} onDone={onDeleted} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will be deleted permanently{state === "stopped" && ", with its results and its decision"}. Targeting stays as it
        is.
      </p>
    </DeleteDialog>
  );
}
