// Deletes, removes or revokes something after confirmation. It leaves alone what somebody else has just changed.
import { type ReactNode, useState } from "react";
import type { Change } from "../../api/changes.js";
import { toast } from "../feedback/toast.js";
import { TextField } from "../form/text-field.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { Dialog } from "./dialog.js";
import { DialogForm } from "./dialog-form.js";

const PAST = { Delete: "deleted", Remove: "removed", Revoke: "revoked" };

interface DeleteDialogProps {
  verb?: keyof typeof PAST;
  /** `pipeline` */
  kind: string;
  /** The name of the one that is deleted. */
  name: string;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** The key that the person types to confirm, for what can't be undone. */
  typedKey?: string;
  /** The request, from `useChange`. */
  change: Change<undefined, unknown>;
  onDone: () => void;
  onClose: () => void;
}

export function DeleteDialog({ verb = "Delete", kind, name, children, typedKey, ...props }: DeleteDialogProps) {
  const { run, pending, problem } = props.change;
  const send = async () => {
    const outcome = await run(undefined);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: `${name} was ${PAST[verb]}.` });
      props.onDone();
    } else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `${name} was not ${PAST[verb]}: someone else has just changed it. Check it again.` });
      props.onClose();
    }
  };
  const shared = { title: `${verb} this ${kind}?`, confirm: `${verb} ${kind}`, onConfirm: () => void send() };
  if (typedKey !== undefined) {
    return (
      <TypedConfirmDialog {...shared} typedKey={typedKey} problem={problem} pending={pending} onClose={props.onClose}>
        {children}
      </TypedConfirmDialog>
    );
  }
  return (
    <ConfirmDialog {...shared} kind="danger" problem={problem} pending={pending} onClose={props.onClose}>
      {children}
    </ConfirmDialog>
  );
}

interface TypedConfirmDialogProps {
  title: string;
  confirm: string;
  children: ReactNode;
  typedKey: string;
  problem: Change<undefined, unknown>["problem"];
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function TypedConfirmDialog({ title, confirm, children, typedKey, ...props }: TypedConfirmDialogProps) {
  const [typed, setTyped] = useState("");
  const matches = typed.trim() === typedKey;
  return (
    <Dialog title={title} onClose={props.onClose} role="alertdialog">
      <DialogForm
        problem={props.problem}
        pending={props.pending}
        submit={confirm}
        submitKind="danger"
        isSubmitDisabled={!matches}
        onSubmit={() => matches && props.onConfirm()}
        onCancel={props.onClose}
      >
        {children}
        <TextField
          label={`Type ${typedKey} to confirm`}
          mono
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      </DialogForm>
    </Dialog>
  );
}
