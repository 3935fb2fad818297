// A new feature: off everywhere until somebody switches it on.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button.js";
import { Checkbox } from "../../parts/checkbox.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { NameAndKey, useNaming } from "../../parts/name-and-key.js";
import { TextField } from "../../parts/text-field.js";
import { toast } from "../../parts/toast.js";

export function CreateFeature({ project, onClose }: { project: string; onClose: () => void }) {
  const navigate = useNavigate();
  const naming = useNaming();
  const { name, key } = naming;
  const [description, setDescription] = useState("");
  const [tags, setTags] = useState("");
  const [approvalRequired, setApprovalRequired] = useState(false);
  const [draft, setDraft] = useState(true);

  const create = useChange(() =>
    client.POST("/api/v1/projects/{projectKey}/features", {
      params: { path: { projectKey: project } },
      body: {
        key,
        name,
        description,
        tags: tags
          .split(",")
          .map((tag) => tag.trim())
          .filter(Boolean),
        approvalRequired,
        lifecycle: draft ? "Draft" : "Active",
      },
    }),
  );
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${name} was created. It is off in every environment.` });
    onClose();
    void navigate(`/projects/${project}/features/${key}`);
  };

  return (
    <Dialog title="New feature" isOpen onClose={onClose}>
      <Form problem={create.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <NameAndKey naming={naming} hint="What code asks for. It cannot be changed later." />
          <TextField label="Description" name="description" lines={2} value={description} onChange={setDescription} />
          <TextField label="Tags" name="tags" value={tags} onChange={setTags} hint="Separated by commas." />
          <Checkbox label="Begin as a draft" isSelected={draft} onChange={setDraft} />
          <Checkbox
            label="Every change of its targeting needs an approval"
            isSelected={approvalRequired}
            onChange={setApprovalRequired}
          />
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
