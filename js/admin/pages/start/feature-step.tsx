// The second step: the first feature of the project.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { VariantsField } from "../../parts/feature/variants-field.js";
import { Form } from "../../parts/form/form.js";
import { NameAndKey, useNaming } from "../../parts/form/name-and-key.js";

interface FeatureFormProps {
  project: string;
  /** Called before the feature is created: the page can show the next step before the response is handled here. */
  onSubmit: () => void;
}

export function FeatureForm({ project, onSubmit }: FeatureFormProps) {
  const { user } = useSession();
  const naming = useNaming();
  const { name, key } = naming;
  const [variants, setVariants] = useState(["on", "off"]);
  const create = useChange(() =>
    client.POST("/api/v1/projects/{projectKey}/features", {
      params: { path: { projectKey: project } },
      body: { key, name, variants, ownerId: user.id, lifecycle: "Active" },
    }),
  );
  const submit = () => {
    onSubmit();
    void create.run(undefined);
  };
  return (
    <Form problem={create.problem} pending={create.pending} onSubmit={submit}>
      <div className="start-fields">
        <NameAndKey
          naming={naming}
          nameHint="For example: New checkout"
          keyHint="Used in code; can't be changed later."
        />
        <VariantsField variants={variants} onChange={setVariants} />
      </div>
      <div>
        <Button kind="primary" type="submit" isPending={create.pending}>
          Create feature
        </Button>
      </div>
    </Form>
  );
}
