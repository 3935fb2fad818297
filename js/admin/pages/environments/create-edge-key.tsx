// Creates an edge key of a project, and shows it once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { ProductionChip } from "../../parts/display/chip.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { EdgeKeySecret } from "./edge-key-secret.js";
import { EDGE_KEYS } from "./edge-keys.js";
import type { Environment } from "./environments.js";

const WHOLE_PROJECT = "project";
const ACCESS = [
  { key: WHOLE_PROJECT, label: "All environments", detail: "Also those that are created later." },
  { key: "selected", label: "Selected environments", detail: "It gives no access to the others." },
];

interface CreateEdgeKeyProps {
  project: string;
  environments: readonly Environment[];
  onClose: () => void;
}

export function CreateEdgeKey({ project, environments, onClose }: CreateEdgeKeyProps) {
  const naming = useNaming();
  const [limited, setLimited] = useState(false);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [secret, setSecret] = useState<string>();
  const create = useChange(
    () =>
      client.POST(EDGE_KEYS, {
        params: { path: { projectKey: project } },
        body: { name: naming.name, ...(limited && { environmentKeys: [...selected] }) },
      }),
    { refresh: [[EDGE_KEYS]] },
  );
  if (secret !== undefined) return <EdgeKeySecret secret={secret} onClose={onClose} />;
  return (
    <CreateDialog
      title="New edge key"
      naming={naming}
      nameHint="Where the edge runs, so you know which key to revoke."
      create={create}
      submit="Create key"
      isSubmitDisabled={limited && selected.length === 0}
      onCreated={({ key }) => key && setSecret(key)}
      onClose={onClose}
    >
      <Select
        label="Access to"
        name="environmentKeys"
        choices={ACCESS}
        value={limited ? "selected" : WHOLE_PROJECT}
        onChange={(key) => setLimited(key !== WHOLE_PROJECT)}
      />
      {limited && <EnvironmentPicker environments={environments} selected={selected} onChange={setSelected} />}
    </CreateDialog>
  );
}

interface EnvironmentPickerProps {
  environments: readonly Environment[];
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
}

function EnvironmentPicker({ environments, selected, onChange }: EnvironmentPickerProps) {
  const toggle = (key: string, on: boolean) =>
    onChange(on ? [...selected, key] : selected.filter((other) => other !== key));
  return (
    <fieldset className="fieldset environments-picker">
      <legend className="field-label">Environments</legend>
      {selected.length === 0 && <p className="field-hint">Select at least one.</p>}
      {environments.map(({ key, name, production }) => (
        <Checkbox key={key} label={name} isSelected={selected.includes(key)} onChange={(on) => toggle(key, on)}>
          <bdi>{name}</bdi> {production && <ProductionChip />}
        </Checkbox>
      ))}
    </fieldset>
  );
}
