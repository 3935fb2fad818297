// Another name for a stored thing. What somebody else has saved meanwhile is shown beside what was typed.
import type { UseQueryResult } from "@tanstack/react-query";
import { type Outcome, useChange } from "../../api/changes.js";
import { type Edit, useEdit } from "../../api/edit.js";
import type { Versioned } from "../../api/queries.js";
import { Button } from "../button/button.js";
import { ErrorState, Skeleton } from "../feedback/state.js";
import { EditConflict } from "../form/edit-conflict.js";
import { Form } from "../form/form.js";
import { TextField } from "../form/text-field.js";
import { Dialog, DialogBody, DialogButtons } from "./dialog.js";

interface Named {
  name: string;
}

interface RenameDialogProps {
  title: string;
  stored: UseQueryResult<Versioned<Named>>;
  send: (name: string, version: string | undefined) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  onDone: (name: string) => void;
  onClose: () => void;
}

export function RenameDialog(props: RenameDialogProps) {
  const { title, stored, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {stored.isError ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : stored.data ? (
        <Rename {...props} stored={stored.data} />
      ) : (
        <DialogBody>
          <Skeleton width="100%" height="3.5rem" />
        </DialogBody>
      )}
    </Dialog>
  );
}

function Rename({ stored, send, onDone, onClose }: Omit<RenameDialogProps, "stored"> & { stored: Versioned<Named> }) {
  const edit: Edit<Named> = useEdit(stored, ({ name }) => ({ name }));
  const rename = useChange(() => send(edit.draft.name, edit.version));
  const submit = async () => {
    const outcome: Outcome<unknown> = await rename.run(undefined);
    if (outcome.kind === "conflict") edit.meet();
    if (outcome.kind === "done") onDone(edit.draft.name);
  };
  return (
    <Form problem={rename.problem} onSubmit={() => void submit()}>
      <DialogBody>
        {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onTakeTheirs={edit.takeTheirs} />}
        <TextField
          label="Name"
          name="name"
          autoFocus
          isRequired
          value={edit.draft.name}
          onChange={(name) => edit.change({ name })}
        />
      </DialogBody>
      <DialogButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isDisabled={!edit.changed} isPending={rename.pending}>
          Rename
        </Button>
      </DialogButtons>
    </Form>
  );
}
