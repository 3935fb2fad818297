// Creates an environment, in which every feature is off.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { ENVIRONMENTS, parseOrigins } from "./environments.js";
import { type Settings, SettingsFields } from "./settings-fields.js";

export function CreateEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const navigate = useNavigateFromHere();
  const naming = useNaming();
  const [settings, setSettings] = useState<Settings>({ production: false, approvalRequired: false, origins: "" });
  const { production, approvalRequired } = settings;
  const allowedOrigins = parseOrigins(settings.origins);
  const create = useChange(() =>
    client.POST(ENVIRONMENTS, {
      params: { path: { projectKey: project } },
      body: { key: naming.key, name: naming.name, production, approvalRequired, allowedOrigins },
    }),
  );
  const onCreated = () => {
    toast({ tone: "good", text: `${naming.name} was created. Every feature is off in it.` });
    onClose();
    navigate(`/projects/${project}/environments/${naming.key}`);
  };
  return (
    <CreateDialog
      title="New environment"
      naming={naming}
      keyHint="Used in URLs; can't be changed later."
      create={create}
      onCreated={onCreated}
      onClose={onClose}
    >
      <SettingsFields settings={settings} onChange={(part) => setSettings({ ...settings, ...part })} />
    </CreateDialog>
  );
}
