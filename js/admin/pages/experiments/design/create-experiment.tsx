// Creates an experiment as a draft. Nothing is measured before it is started.
import { useState } from "react";
import { useChange } from "../../../api/changes.js";
import { client } from "../../../api/client.js";
import { ComboBox } from "../../../parts/choice/combo-box.js";
import { CreateDialog } from "../../../parts/dialog/create-dialog.js";
import { EXPERIMENTS } from "../../../parts/feature/use-experiments.js";
import { toast } from "../../../parts/feedback/toast.js";
import { useNaming } from "../../../parts/form/name-and-key.js";
import { useNavigateFromHere } from "../../../shown-url.js";
import { addressOf, type Environment, type Feature } from "../experiments.js";
import { bodyOf, type Design, NEW_DESIGN, usualControl } from "./design.js";
import { DesignFields } from "./design-fields.js";

interface CreateExperimentProps {
  project: string;
  environment: Environment;
  features: readonly Feature[];
  /** The feature that is selected first. */
  featureKey: string | undefined;
  onClose: () => void;
}

export function CreateExperiment({ project, environment, features, ...props }: CreateExperimentProps) {
  const navigate = useNavigateFromHere();
  const naming = useNaming();
  const { name, key } = naming;
  const variantsOf = (wanted: string) => features.find(({ key }) => key === wanted)?.variants ?? [];
  const [featureKey, setFeatureKey] = useState(props.featureKey ?? "");
  const [design, setDesign] = useState<Design>(() => ({
    ...NEW_DESIGN,
    controlVariantKey: usualControl(variantsOf(featureKey)),
  }));
  const update = (part: Partial<Design>) => setDesign((before) => ({ ...before, ...part }));
  const create = useChange(
    () =>
      client.POST(EXPERIMENTS, {
        params: { path: { projectKey: project, environmentKey: environment.key } },
        body: { key, name, featureKey, ...bodyOf(design) },
      }),
    { refresh: [[EXPERIMENTS]] },
  );
  const onCreated = () => {
    toast({ tone: "good", text: `${name} was created as a draft.` });
    props.onClose();
    navigate(addressOf({ project, environment: environment.key, experiment: key }));
  };
  return (
    <CreateDialog
      title={`New experiment in ${environment.name}`}
      naming={naming}
      keyHint="Used in URLs; can't be changed later."
      create={create}
      onCreated={onCreated}
      onClose={props.onClose}
      wide
    >
      <ComboBox
        label="Feature"
        name="featureKey"
        choices={features
          .filter(({ lifecycle }) => lifecycle !== "Archived")
          .map(({ key, name }) => ({ key, label: name, detail: key }))}
        value={featureKey}
        onChange={(next) => {
          setFeatureKey(next);
          update({ controlVariantKey: usualControl(variantsOf(next)) });
        }}
        isRequired
        hint="Its rules split the users. They can be set until the experiment starts."
      />
      <DesignFields
        project={project}
        environment={environment.key}
        variants={variantsOf(featureKey)}
        design={design}
        onChange={update}
      />
    </CreateDialog>
  );
}
