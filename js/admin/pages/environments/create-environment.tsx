// A new environment: every feature of the project is off in it.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { NameAndKey, useNaming } from "../../parts/name-and-key.js";
import { toast } from "../../parts/toast.js";
import { atOrigins, ENVIRONMENTS, originsFrom } from "./environments.js";
import { type Settings, SettingsFields } from "./settings-fields.js";

export function CreateEnvironment({ project, onClose }: { project: string; onClose: () => void }) {
  const navigate = useNavigate();
  const naming = useNaming();
  const [settings, setSettings] = useState<Settings>({ production: false, approvalRequired: false, origins: "" });
  const { production, approvalRequired } = settings;
  const allowedOrigins = originsFrom(settings.origins);
  const create = useChange(() =>
    client.POST(ENVIRONMENTS, {
      params: { path: { projectKey: project } },
      body: { key: naming.key, name: naming.name, production, approvalRequired, allowedOrigins },
    }),
  );
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${naming.name} was created. Every feature is off in it.` });
    onClose();
    void navigate(`/projects/${project}/environments/${naming.key}`);
  };
  return (
    <Dialog title="New environment" isOpen onClose={onClose}>
      <Form problem={atOrigins(create.problem, allowedOrigins)} onSubmit={() => void submit()}>
        <DialogBody>
          <NameAndKey naming={naming} hint="Part of its addresses. It cannot be changed later." />
          <SettingsFields settings={settings} onChange={(part) => setSettings({ ...settings, ...part })} />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={create.pending}>
            Create
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
