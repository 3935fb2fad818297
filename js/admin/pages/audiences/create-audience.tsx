// A new audience: used nowhere until a rule names it.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { fieldErrors } from "../../api/problem.js";
import { Button } from "../../parts/button.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { ConditionsEditor } from "../../parts/conditions/editor.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { NameAndKey, useNaming } from "../../parts/name-and-key.js";
import { Select } from "../../parts/select.js";
import { toast } from "../../parts/toast.js";
import { AUDIENCES, type Audience, attributesOf, useEnvironments } from "./audiences.js";

const PROJECT_WIDE = "";

interface CreateAudienceProps {
  project: string;
  audiences: readonly Audience[] | undefined;
  onClose: () => void;
}

export function CreateAudience({ project, audiences, onClose }: CreateAudienceProps) {
  const navigate = useNavigate();
  const environments = useEnvironments(project).data ?? [];
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
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `The audience ${name} was created. Rules can name it from now on.` });
    onClose();
    void navigate(`/projects/${project}/audiences/${key}`);
  };
  return (
    <Dialog title="New audience" isOpen onClose={onClose} wide>
      <Form problem={create.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <NameAndKey naming={naming} hint="What rules name. It cannot be changed later." />
          <Select
            label="Scope"
            name="environmentKey"
            choices={[
              { key: PROJECT_WIDE, label: "Project-wide", detail: "Rules of every environment can use it." },
              ...environments.map(({ key, name }) => ({
                key,
                label: `${name} only`,
                detail: "A copy to another environment writes its conditions into the rule.",
              })),
            ]}
            value={environmentKey}
            onChange={setEnvironmentKey}
            hint="It cannot be changed later."
          />
          <fieldset className="audiences-group">
            <legend className="field-label">Conditions</legend>
            <p className="field-hint">All of them have to hold.</p>
            <ConditionsEditor
              value={conditions}
              onChange={setConditions}
              pointer="conditions"
              errors={fieldErrors(create.problem)}
              attributes={attributesOf(audiences ?? [])}
            />
          </fieldset>
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
