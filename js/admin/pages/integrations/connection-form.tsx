// The fields of a connection. Its keys are write-only: a blank one keeps the stored key.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { resource, type Versioned } from "../../api/queries.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { DialogForm } from "../../parts/dialog/dialog-form.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { TextField } from "../../parts/form/text-field.js";
import { NEW_SETTINGS, type Settings, settingsOf, withNames } from "./connection-settings.js";
import { EnvironmentFilter } from "./environment-filter.js";
import {
  INTEGRATION,
  INTEGRATIONS,
  type Integration,
  type NewIntegration,
  type ProjectEnvironment,
  type Region,
  useRegions,
} from "./integrations.js";

/** Until the server has said where it can deliver. It refuses the others anyway. */
const REGIONS = (["US", "EU"] as const).map((region) => ({ region, available: true }));

interface ConnectionFormProps {
  /** Undefined for a new connection. */
  id?: string;
  stored?: Versioned<Integration>;
  environments: readonly ProjectEnvironment[] | undefined;
  onSaving: (saving: boolean) => void;
  onClose: () => void;
}

export function ConnectionForm({ id, stored, environments, onSaving, onClose }: ConnectionFormProps) {
  const [settings, setSettings] = useState(stored ? settingsOf(stored.value) : NEW_SETTINGS);
  const [keys, setKeys] = useState({ apiKey: "", secretKey: "" });
  const update = (part: Partial<Settings>) => setSettings({ ...settings, ...part });
  const { save, send, theirs, dismissConflict } = useSave(id, stored?.version);
  useEffect(() => onSaving(save.pending), [onSaving, save.pending]);

  const submit = async () => {
    const { enabled, region, environmentIds } = settings;
    if (region === null) return;
    const { apiKey, secretKey } = keys;
    const filter = { environmentIds: [...environmentIds] };
    const analytics = { region, filter, ...(apiKey && { apiKey }), ...(secretKey && { secretKey }) };
    if (!(await send({ type: "analytics", enabled, configuration: { analytics } }))) return;
    toast({ tone: "good", text: id === undefined ? "Analytics is connected." : "The connection was saved." });
    onClose();
  };
  const acceptTheirs = () => {
    if (theirs) setSettings(theirs);
    dismissConflict();
  };
  return (
    <DialogForm
      problem={save.problem}
      pending={save.pending}
      submit={id === undefined ? "Connect" : "Save"}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      {theirs && (
        <EditConflict
          theirs={withNames(theirs, environments)}
          yours={withNames(settings, environments)}
          onUseTheirs={acceptTheirs}
        />
      )}
      <RegionField value={settings.region} onChange={(region) => update({ region })} />
      <KeyFields isNew={id === undefined} keys={keys} onChange={(part) => setKeys({ ...keys, ...part })} />
      <Checkbox
        label="Enabled: changes are delivered"
        isSelected={settings.enabled}
        onChange={(enabled) => update({ enabled })}
      />
      <EnvironmentFilter
        environments={environments}
        selected={settings.environmentIds}
        onChange={(environmentIds) => update({ environmentIds })}
      />
    </DialogForm>
  );
}

function RegionField({ value, onChange }: { value: Region | null; onChange: (region: Region) => void }) {
  const choices = (useRegions() ?? REGIONS).map(({ region, available }) => ({
    key: region,
    label: region,
    ...(!available && {
      isDisabled: true,
      detail: `This server has no address for ${region}. Ask its operator to set one.`,
    }),
  }));
  return (
    <Select
      label="Region"
      name="configuration/analytics/region"
      choices={choices}
      value={value}
      onChange={(region) => onChange(region as Region)}
      isRequired
      hint="The region of the analytics project. In the wrong region, deliveries fail with authentication errors."
    />
  );
}

/** Creates or replaces the connection. After a conflict, `theirs` is what is stored, and the next write overwrites it. */
function useSave(id: string | undefined, storedVersion: string | undefined) {
  const queries = useQueryClient();
  const [version, setVersion] = useState(storedVersion);
  const [theirs, setTheirs] = useState<Settings>();
  const save = useChange(
    (body: NewIntegration) =>
      id === undefined
        ? client.POST(INTEGRATIONS, { body })
        : client.PUT(INTEGRATION, { params: { path: { id }, header: ifMatch(version) }, body }),
    { refresh: [[INTEGRATIONS], [INTEGRATION]] },
  );
  const send = async (body: NewIntegration): Promise<boolean> => {
    const outcome = await save.run(body);
    if (outcome.kind === "conflict" && id !== undefined) {
      const latest = await queries.fetchQuery({ ...resource(INTEGRATION, { path: { id } }), staleTime: 0 });
      setVersion(latest.version);
      setTheirs(settingsOf(latest.value));
    }
    return outcome.kind === "done";
  };
  return { save, send, theirs, dismissConflict: () => setTheirs(undefined) };
}

interface Keys {
  apiKey: string;
  secretKey: string;
}

interface KeyFieldsProps {
  isNew: boolean;
  keys: Keys;
  onChange: (part: Partial<Keys>) => void;
}

function KeyFields({ isNew, keys, onChange }: KeyFieldsProps) {
  const shared = {
    type: "password",
    autoComplete: "off",
    mono: true,
    isRequired: isNew ? true : undefined,
    hint: isNew ? "Stored encrypted, and never shown again." : "Leave blank to keep the stored key.",
  };
  return (
    <>
      <TextField
        {...shared}
        label="API key"
        name="configuration/analytics/apiKey"
        value={keys.apiKey}
        onChange={(apiKey) => onChange({ apiKey })}
      />
      <TextField
        {...shared}
        label="Secret key"
        name="configuration/analytics/secretKey"
        value={keys.secretKey}
        onChange={(secretKey) => onChange({ secretKey })}
      />
    </>
  );
}
