// Creates a feature, which is off in every environment. The person who creates it is its owner.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { TagsField } from "../../parts/feature/tags-field.js";
import { VariantsField } from "../../parts/feature/variants-field.js";
import { toast } from "../../parts/feedback/toast.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { TextField } from "../../parts/form/text-field.js";
import { useNavigateFromHere } from "../../shown-url.js";

export function CreateFeature({ project, onClose }: { project: string; onClose: () => void }) {
  const { user } = useSession();
  const navigate = useNavigateFromHere();
  const naming = useNaming();
  const { name, key } = naming;
  const [description, setDescription] = useState("");
  const [tags, setTags] = useState<string[]>([]);
  const [variants, setVariants] = useState(["on", "off"]);
  const [approvalRequired, setApprovalRequired] = useState(false);
  const [isDraft, setIsDraft] = useState(true);

  const create = useChange(() =>
    client.POST("/api/v1/projects/{projectKey}/features", {
      params: { path: { projectKey: project } },
      body: {
        key,
        name,
        description,
        tags,
        variants,
        approvalRequired,
        ownerId: user.id,
        lifecycle: isDraft ? "Draft" : "Active",
      },
    }),
  );
  const onCreated = () => {
    toast({ tone: "good", text: `${name} was created. It is off in every environment.` });
    onClose();
    navigate(`/projects/${project}/features/${key}`);
  };

  return (
    <CreateDialog
      title="New feature"
      naming={naming}
      keyHint="Used in code; can't be changed later."
      create={create}
      onCreated={onCreated}
      onClose={onClose}
    >
      <TextField
        label="Description"
        name="description"
        isRequired={false}
        lines={2}
        value={description}
        onChange={setDescription}
      />
      <TagsField tags={tags} onChange={setTags} />
      <VariantsField variants={variants} onChange={setVariants} />
      <Checkbox label="Create as draft" isSelected={isDraft} onChange={setIsDraft} />
      <Checkbox
        label="Require approval for targeting changes"
        isSelected={approvalRequired}
        onChange={setApprovalRequired}
      />
    </CreateDialog>
  );
}
