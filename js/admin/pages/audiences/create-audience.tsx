// Creates an audience, which no rule uses yet.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useEnvironments } from "../../api/projects.js";
import { Select } from "../../parts/choice/select.js";
import { ConditionsEditor } from "../../parts/conditions/conditions-editor.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { AUDIENCES, type Audience, attributesOf } from "./audiences.js";

const PROJECT_WIDE = "";

interface CreateAudienceProps {
  project: string;
  audiences: readonly Audience[] | undefined;
  onClose: () => void;
}

export function CreateAudience({ project, audiences, onClose }: CreateAudienceProps) {
  const navigate = useNavigateFromHere();
  const naming = useNaming();
  const { name, key } = naming;
  const [environmentKey, setEnvironmentKey] = useState(PROJECT_WIDE);
  const [conditions, setConditions] = useState<readonly Condition[]>([]);

  const create = useChange(
    () =>
      client.POST(AUDIENCES, {
        params: { path: { projectKey: project } },
        body: { key, name, conditions: [...conditions], environmentKey: environmentKey || null },
      }),
    { refresh: [[AUDIENCES]] },
  );
  const onCreated = () => {
    toast({ tone: "good", text: `${name} was created. Rules can use it now.` });
    onClose();
    navigate(`/projects/${project}/audiences/${key}`);
  };
  return (
    <CreateDialog
      title="New audience"
      naming={naming}
      keyHint="Used in rules; can't be changed later."
      create={create}
      onCreated={onCreated}
      onClose={onClose}
      wide
    >
      <ScopeSelect project={project} value={environmentKey} onChange={setEnvironmentKey} />
      <fieldset className="fieldset">
        <legend className="field-label">Conditions</legend>
        <p className="field-hint">Match all conditions</p>
        <ConditionsEditor
          value={conditions}
          onChange={setConditions}
          pointer="conditions"
          attributes={attributesOf(audiences ?? [])}
        />
      </fieldset>
    </CreateDialog>
  );
}

interface ScopeSelectProps {
  project: string;
  /** The key of an environment, or `PROJECT_WIDE`. */
  value: string;
  onChange: (environmentKey: string) => void;
}

function ScopeSelect({ project, value, onChange }: ScopeSelectProps) {
  const environments = useEnvironments(project).data ?? [];
  return (
    <Select
      label="Scope"
      name="environmentKey"
      choices={[
        { key: PROJECT_WIDE, label: "Project-wide", detail: "For rules in all environments." },
        ...environments.map(({ key, name }) => ({
          key,
          label: `${name} only`,
          detail: "Copying a rule to another environment copies the conditions inline.",
        })),
      ]}
      value={value}
      onChange={onChange}
      hint="Can't be changed later."
    />
  );
}
