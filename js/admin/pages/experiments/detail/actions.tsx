// What can be done with an experiment in its state, and the dialogs for it.
import { useState } from "react";
import type { Versioned } from "../../../api/queries.js";
import { useSession } from "../../../api/session.js";
import { Button } from "../../../parts/button/button.js";
import { canChangeTargeting } from "../../../roles.js";
import { useNavigateFromHere } from "../../../shown-url.js";
import { EditExperiment } from "../design/edit-experiment.js";
import type { Environment, Experiment, Feature, Place } from "../experiments.js";
import { DeleteExperiment } from "./delete-experiment.js";
import { RenameExperiment } from "./rename-experiment.js";
import { StartExperiment } from "./start-experiment.js";
import { StopExperiment } from "./stop-experiment.js";

type OpenDialog = "start" | "stop" | "edit" | "delete";

interface ActionsProps {
  place: Place;
  environment: Environment;
  feature: Feature;
  /** The address of the feature's targeting. */
  targeting: string;
  stored: Versioned<Experiment>;
}

/** Nothing for people who may not change what the environment serves. */
export function Actions({ place, environment, feature, targeting, stored }: ActionsProps) {
  const navigate = useNavigateFromHere();
  const { user } = useSession();
  const [dialog, setDialog] = useState<OpenDialog>();
  if (!canChangeTargeting(user.role, environment)) return null;
  const { state } = stored.value;
  const shared = { place, experiment: stored.value, onClose: () => setDialog(undefined) };
  return (
    <>
      {state !== "running" && (
        <Button icon="trash" onPress={() => setDialog("delete")}>
          Delete…
        </Button>
      )}
      <Button icon="edit" onPress={() => setDialog("edit")}>
        {state === "draft" ? "Edit…" : "Rename…"}
      </Button>
      {state === "draft" && (
        <Button kind="primary" onPress={() => setDialog("start")}>
          Start…
        </Button>
      )}
      {state === "running" && (
        <Button kind="primary" onPress={() => setDialog("stop")}>
          Stop…
        </Button>
      )}
      {dialog === "start" && <StartExperiment {...shared} featureName={feature.name} environment={environment} />}
      {dialog === "stop" && <StopExperiment {...shared} variants={feature.variants} targeting={targeting} />}
      {dialog === "delete" && (
        <DeleteExperiment
          {...shared}
          version={stored.version}
          onDeleted={() => navigate(`/projects/${place.project}/experiments?environment=${environment.key}`)}
        />
      )}
      {dialog === "edit" &&
        (state === "draft" ? (
          <EditExperiment place={place} variants={feature.variants} stored={stored} onClose={shared.onClose} />
        ) : (
          <RenameExperiment place={place} onClose={shared.onClose} />
        ))}
    </>
  );
}
