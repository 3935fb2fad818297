// The first step: the name of the project, and the names of its environments.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import { ProductionChip } from "../../parts/display/chip.js";
import { Form } from "../../parts/form/form.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { TextField } from "../../parts/form/text-field.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { DEFAULT_ENVIRONMENTS, environmentField, type NewEnvironment, useCreateProject } from "./create-project.js";

/** `existing` is a project that has no environments yet: only they are asked for. */
export function ProjectForm({ existing }: { existing: string | undefined }) {
  const navigate = useNavigateFromHere();
  const { name, key, setName, setKey } = useNaming();
  const [environments, setEnvironments] = useState(DEFAULT_ENVIRONMENTS);
  const { create, created } = useCreateProject(existing);
  const submit = async () => {
    const outcome = await create.run({ key, name, environments });
    if (outcome.kind === "done" && existing === undefined) navigate(`/projects/${created ?? key}/start`);
  };
  return (
    <Form problem={create.problem} pending={create.pending} onSubmit={() => void submit()}>
      <div className="start-fields">
        {existing === undefined && (
          <>
            <TextField
              label="Project name"
              name="name"
              autoFocus
              isRequired
              isDisabled={created !== undefined}
              placeholder="Web shop"
              value={name}
              onChange={setName}
            />
            <TextField
              label="Key"
              name="key"
              mono
              isRequired
              isDisabled={created !== undefined}
              value={key}
              onChange={setKey}
              hint="Used in URLs; can't be changed later."
            />
          </>
        )}
        <EnvironmentFields environments={environments} onChange={setEnvironments} />
      </div>
      <div>
        <Button kind="primary" type="submit" isPending={create.pending}>
          {existing === undefined ? "Create project" : "Create environments"}
        </Button>
      </div>
    </Form>
  );
}

interface EnvironmentFieldsProps {
  environments: readonly NewEnvironment[];
  onChange: (environments: readonly NewEnvironment[]) => void;
}

function EnvironmentFields({ environments, onChange }: EnvironmentFieldsProps) {
  const rename = (at: number, name: string) =>
    onChange(environments.map((environment, index) => (index === at ? { ...environment, name } : environment)));
  return (
    <fieldset className="fieldset">
      <legend className="field-label">Environments</legend>
      {environments.map(({ name, production }, index) => (
        <div key={environmentField(index)} className="start-environment">
          <TextField
            label={production ? "Name of the production environment" : `Name of environment ${index + 1}`}
            hideLabel
            name={environmentField(index)}
            isRequired
            value={name}
            onChange={(name) => rename(index, name)}
          />
          {production && <ProductionChip />}
        </div>
      ))}
      <p className="field-hint">
        Each has its own rules and keys. Changes in production ask for confirmation. You can add and rename environments
        later.
      </p>
    </fieldset>
  );
}
