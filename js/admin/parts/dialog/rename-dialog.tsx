// Renames a stored resource. If someone else has changed it meanwhile, both versions are shown.
import type { UseQueryResult } from "@tanstack/react-query";
import { useChange } from "../../api/changes.js";
import { useEdit } from "../../api/edit.js";
import { hasFailed, type Versioned } from "../../api/queries.js";
import { ErrorState, Skeleton } from "../feedback/state.js";
import { EditConflict } from "../form/edit-conflict.js";
import { TextField } from "../form/text-field.js";
import { Dialog, DialogBody } from "./dialog.js";
import { DialogForm } from "./dialog-form.js";

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
      {hasFailed(stored) ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : stored.data ? (
        <RenameForm {...props} stored={stored.data} />
      ) : (
        <DialogBody>
          <Skeleton width="100%" height="3.5rem" />
        </DialogBody>
      )}
    </Dialog>
  );
}

interface RenameFormProps extends Omit<RenameDialogProps, "stored"> {
  stored: Versioned<Named>;
}

function RenameForm({ stored, send, onDone, onClose }: RenameFormProps) {
  const edit = useEdit<Named, Named>(stored, ({ name }) => ({ name }));
  const rename = useChange(() => send(edit.draft.name, edit.version));
  const submit = async () => {
    const outcome = await rename.run(undefined);
    if (outcome.kind === "conflict") edit.reportConflict();
    if (outcome.kind === "done") onDone(edit.draft.name);
  };
  return (
    <DialogForm
      problem={rename.problem}
      pending={rename.pending}
      submit="Rename"
      isSubmitDisabled={!edit.changed}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      {edit.theirs && <EditConflict theirs={edit.theirs} yours={edit.draft} onUseTheirs={edit.reset} />}
      <TextField
        label="Name"
        name="name"
        autoFocus
        isRequired
        value={edit.draft.name}
        onChange={(name) => edit.update({ name })}
      />
    </DialogForm>
  );
}
