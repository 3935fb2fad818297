// The dialog in which something new gets its name and, where it has one, its key.
import type { ReactNode } from "react";
import type { Change } from "../../api/changes.js";
import { NameAndKey, type Naming } from "../form/name-and-key.js";
import { Dialog } from "./dialog.js";
import { DialogForm } from "./dialog-form.js";

interface CreateDialogProps<T> {
  /** `New feature` */
  title: string;
  /** From `useNaming`. */
  naming: Naming;
  nameHint?: string;
  /** What the key is used for. Without it there is no key field. */
  keyHint?: string;
  /** Further fields. */
  children?: ReactNode;
  /** The request, from `useChange`. */
  create: Change<undefined, T>;
  submit?: string;
  isSubmitDisabled?: boolean;
  /** Called after success, with what the server answered. It closes the dialog. */
  onCreated: (created: T) => void;
  onClose: () => void;
  wide?: boolean;
}

export function CreateDialog<T>({
  title,
  naming,
  nameHint,
  keyHint,
  children,
  create,
  ...props
}: CreateDialogProps<T>) {
  const send = async () => {
    const outcome = await create.run(undefined);
    if (outcome.kind === "done") props.onCreated(outcome.value);
  };
  return (
    <Dialog title={title} onClose={props.onClose} wide={props.wide}>
      <DialogForm
        problem={create.problem}
        pending={create.pending}
        submit={props.submit ?? "Create"}
        isSubmitDisabled={props.isSubmitDisabled}
        onSubmit={() => void send()}
        onCancel={props.onClose}
      >
        <NameAndKey naming={naming} nameHint={nameHint} keyHint={keyHint} />
        {children}
      </DialogForm>
    </Dialog>
  );
}
