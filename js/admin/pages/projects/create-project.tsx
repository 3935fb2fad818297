// Creates a project. It is empty, so its environments page opens next.
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { CreateDialog } from "../../parts/dialog/create-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { useNaming } from "../../parts/form/name-and-key.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { PROJECTS } from "./projects.js";

export function CreateProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigateFromHere();
  const naming = useNaming();
  const { name, key } = naming;
  const create = useChange(() => client.POST(PROJECTS, { body: { key, name } }), { refresh: [[PROJECTS]] });
  const onCreated = () => {
    toast({ tone: "good", text: `${name} was created. Add its environments next.` });
    onClose();
    navigate(`/projects/${key}/environments`);
  };
  return (
    <CreateDialog
      title="New project"
      naming={naming}
      keyHint="Used in URLs; can't be changed later."
      create={create}
      onCreated={onCreated}
      onClose={onClose}
    />
  );
}
