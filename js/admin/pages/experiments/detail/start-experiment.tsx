// Starts an experiment after confirmation. The server refuses if there is nothing to compare.
import { useChange } from "../../../api/changes.js";
import { client } from "../../../api/client.js";
import { ConfirmDialog } from "../../../parts/dialog/confirm-dialog.js";
import { toast } from "../../../parts/feedback/toast.js";
import { type Environment, EXPERIMENT, type Experiment, type Place, pathOf } from "../experiments.js";

interface StartExperimentProps {
  place: Place;
  experiment: Experiment;
  featureName: string;
  environment: Environment;
  onClose: () => void;
}

export function StartExperiment({ place, experiment, featureName, environment, onClose }: StartExperimentProps) {
  const start = useChange(() => client.POST(`${EXPERIMENT}/start`, { params: { path: pathOf(place) } }));
  const send = async () => {
    const outcome = await start.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${experiment.name} is running.` });
    onClose();
  };
  return (
    <ConfirmDialog
      title="Start this experiment?"
      confirm={`Start in ${environment.name}`}
      onConfirm={() => void send()}
      onClose={onClose}
      pending={start.pending}
      problem={start.problem}
    >
      <p>
        From now on, clients report which users get which variant of{" "}
        <strong>
          <bdi>{featureName}</bdi>
        </strong>
        , and the goals that these users reach are counted. Starting does not change what users get.
      </p>
      {experiment.goals.some(({ role }) => role === "guard") && (
        <p>
          If a variant makes a guard worse, the service gives its share to{" "}
          <strong>
            <bdi>{experiment.controlVariantKey}</bdi>
          </strong>{" "}
          as soon as that is certain.
        </p>
      )}
      {experiment.segmentAttribute && (
        <p>
          The segments are the values of{" "}
          <strong>
            <bdi>{experiment.segmentAttribute}</bdi>
          </strong>{" "}
          that the audience lists now. They stay the same until the experiment stops.
        </p>
      )}
      <p>
        All rules that split users must have the same split. What is measured can't be changed afterwards. Leave the
        targeting as it is while the experiment runs: what is counted before and after a change can't be compared.
      </p>
    </ConfirmDialog>
  );
}
