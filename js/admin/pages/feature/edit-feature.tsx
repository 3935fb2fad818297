// Editing what a feature is: name, description, tags, variants, approval, pipeline. Two people at once are shown both sides.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Diff } from "../../parts/display/diff.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { TagField } from "../../parts/form/tag-field.js";
import { TextField } from "../../parts/form/text-field.js";
import { hasRole } from "../../roles.js";
import type { Feature, Pipeline } from "./feature.js";

interface EditFeatureProps {
  project: string;
  feature: Feature;
  version: string | undefined;
  pipelines: readonly Pipeline[];
  onClose: () => void;
}

const NONE = "";

/** What can be edited. */
function editable({ name, description, tags, variants, approvalRequired, pipelineKey }: Feature) {
  return { name, description, tags, variants, approvalRequired, pipelineKey: pipelineKey ?? null };
}

type Edit = ReturnType<typeof editable>;

export function EditFeature({ project, feature, version, pipelines, onClose }: EditFeatureProps) {
  const { user } = useSession();
  const [edit, setEdit] = useState(() => editable(feature));
  /** What it was begun from; a later one once the person has looked at it. */
  const [base, setBase] = useState({ feature, version });
  const [conflict, setConflict] = useState(false);
  const put = (fresh: Partial<Edit>) => setEdit((old) => ({ ...old, ...fresh }));

  const change = useChange((body: Partial<Edit>) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: feature.key }, header: ifMatch(base.version) },
      body,
    }),
  );
  const submit = async () => {
    const known = editable(base.feature);
    const names = Object.keys(edit) as (keyof Edit)[];
    const fresh = names.filter((name) => JSON.stringify(edit[name]) !== JSON.stringify(known[name]));
    const outcome = await change.run(Object.fromEntries(fresh.map((name) => [name, edit[name]])));
    if (outcome.kind === "conflict") setConflict(true);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `Saved: ${edit.name}.` });
    onClose();
  };
  const look = (next: Edit) => {
    setEdit(next);
    setBase({ feature, version });
    setConflict(false);
  };
  const mayLoosen = hasRole(user.role, "administrator") || !base.feature.approvalRequired;
  return (
    <Dialog title={`Edit ${feature.name}`} onClose={onClose}>
      <Form problem={change.problem} onSubmit={() => void submit()}>
        <DialogBody>
          {conflict && (
            <>
              <Banner tone="warn">Somebody else has changed this feature meanwhile. Nothing of yours is lost.</Banner>
              <Diff before={editable(feature)} after={edit} labels={["Saved now, theirs", "Yours"]} />
              <div className="feature-choice">
                <Button onPress={() => look(editable(feature))}>Take theirs</Button>
                <Button onPress={() => look(edit)}>Go on with mine</Button>
              </div>
            </>
          )}
          <TextField label="Name" name="name" isRequired value={edit.name} onChange={(name) => put({ name })} />
          <TextField
            label="Description"
            name="description"
            lines={3}
            value={edit.description}
            onChange={(description) => put({ description })}
          />
          <TagField label="Tags" name="tags" values={edit.tags} onChange={(tags) => put({ tags })} />
          <TagField
            label="Variants"
            name="variants"
            values={edit.variants}
            onChange={(variants) => put({ variants })}
            hint="At least two. One that is served somewhere has to stay."
          />
          <Select
            label="Release pipeline"
            name="pipelineKey"
            choices={[{ key: NONE, label: "None" }, ...pipelines.map(({ key, name }) => ({ key, label: name }))]}
            value={edit.pipelineKey ?? NONE}
            onChange={(key) => put({ pipelineKey: key || null })}
            hint="A feature begins in the first phase."
          />
          <Checkbox
            label={
              mayLoosen
                ? "Every change of its targeting needs an approval"
                : "Every change of its targeting needs an approval. Only an administrator may take this away."
            }
            isSelected={edit.approvalRequired}
            isDisabled={!mayLoosen}
            onChange={(approvalRequired) => put({ approvalRequired })}
          />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={change.pending} isDisabled={conflict}>
            Save
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
