// A new project: empty, so that what comes next is its environments.
import { useNavigate } from "react-router";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { NameAndKey, useNaming } from "../../parts/name-and-key.js";
import { toast } from "../../parts/toast.js";
import { PROJECTS } from "./projects.js";

export function CreateProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const naming = useNaming();
  const create = useChange(() => client.POST(PROJECTS, { body: { key: naming.key, name: naming.name } }), {
    refresh: [[PROJECTS]],
  });
  const submit = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${naming.name} was created. It needs environments next.` });
    onClose();
    void navigate(`/projects/${naming.key}/environments`);
  };
  return (
    <Dialog title="New project" isOpen onClose={onClose}>
      <Form problem={create.problem} onSubmit={() => void submit()}>
        <DialogBody>
          <NameAndKey naming={naming} hint="Part of its addresses. It cannot be changed later." />
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
