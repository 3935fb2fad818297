// Creates a pipeline, with a phase for each environment to start from.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { PhasesEditor } from "./phases-editor.js";
import { type Environment, type Phase, PIPELINES } from "./pipelines.js";

interface CreatePipelineProps {
  project: string;
  environments: readonly Environment[];
  onClose: () => void;
}

export function CreatePipeline({ project, environments, onClose }: CreatePipelineProps) {
  const navigate = useNavigateFromHere();
  const naming = useNaming();
  const { name, key } = naming;
  const [phases, setPhases] = useState<readonly Phase[]>(() =>
    environments.map(({ key, name }) => ({ name, environmentKey: key, approvalRequired: false })),
  );
  const create = useChange(
    () =>
      client.POST(PIPELINES, { params: { path: { projectKey: project } }, body: { key, name, phases: [...phases] } }),
    { refresh: [[PIPELINES]] },
  );
  const onCreated = () => {
    toast({ tone: "good", text: `${name} was created. You can add features to it now.` });
    onClose();
    navigate(`/projects/${project}/pipelines/${key}`);
  };
  return (
    <CreateDialog
      title="New pipeline"
      naming={naming}
      keyHint="Used in URLs; can't be changed later."
      create={create}
      onCreated={onCreated}
      onClose={onClose}
      wide
    >
      <PhasesEditor phases={phases} environments={environments} onChange={setPhases} />
    </CreateDialog>
  );
}
