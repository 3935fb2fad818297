// The fields of a connection. What is secret is write-only: a blank field keeps what is stored.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { ProjectEnvironment } from "../../api/projects.js";
import { resource, type Versioned } from "../../api/queries.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { DialogForm } from "../../parts/dialog/dialog-form.js";
import { toast } from "../../parts/feedback/toast.js";
import { EditConflict } from "../../parts/form/edit-conflict.js";
import { bodyOf, NEW_SETTINGS, NO_SECRETS, type Settings, settingsOf, withNames } from "./connection-settings.js";
import { DestinationFields } from "./destination-fields.js";
import { EnvironmentFilter } from "./environment-filter.js";
import { INTEGRATION, INTEGRATIONS, type Integration, type NewIntegration } from "./integrations.js";
import { KINDS, type Kind } from "./kinds.js";

interface ConnectionFormProps {
  kind: Kind;
  /** Undefined for a new connection. */
  id?: string;
  stored?: Versioned<Integration>;
  environments: readonly ProjectEnvironment[] | undefined;
  /** Receives the signing secret of a new webhook, which is shown only once. */
  onSecret: (secret: string) => void;
  onClose: () => void;
}

export function ConnectionForm({ kind, id, stored, environments, onSecret, onClose }: ConnectionFormProps) {
  const isNew = id === undefined;
  const [settings, setSettings] = useState(stored ? settingsOf(stored.value) : NEW_SETTINGS);
  const [secrets, setSecrets] = useState(NO_SECRETS);
  const update = (part: Partial<Settings>) => setSettings({ ...settings, ...part });
  const { save, send, theirs, dismissConflict } = useSave(id, stored?.version);

  const submit = async () => {
    const body = bodyOf(kind, settings, secrets);
    const saved = body && (await send(body));
    if (!saved) return;
    toast({ tone: "good", text: isNew ? KINDS[kind].connected : "The connection was saved." });
    if (saved.signingSecret) onSecret(saved.signingSecret);
    else onClose();
  };
  const acceptTheirs = () => {
    if (theirs) setSettings(theirs);
    dismissConflict();
  };
  return (
    <DialogForm
      problem={save.problem}
      pending={save.pending}
      submit={isNew ? "Connect" : "Save"}
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
      <DestinationFields
        kind={kind}
        isNew={isNew}
        region={settings.region}
        onRegion={(region) => update({ region })}
        secrets={secrets}
        onSecrets={(part) => setSecrets({ ...secrets, ...part })}
      />
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
  const send = async (body: NewIntegration): Promise<Integration | undefined> => {
    const outcome = await save.run(body);
    if (outcome.kind === "conflict" && id !== undefined) {
      const latest = await queries.fetchQuery({ ...resource(INTEGRATION, { path: { id } }), staleTime: 0 });
      setVersion(latest.version);
      setTheirs(settingsOf(latest.value));
    }
    return outcome.kind === "done" ? outcome.value : undefined;
  };
  return { save, send, theirs, dismissConflict: () => setTheirs(undefined) };
}
