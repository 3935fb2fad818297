// Asks before something that users notice or that can't be undone.
import type { ReactNode } from "react";
import { type Problem, problemText } from "../../api/problem.js";
import { Button } from "../button/button.js";
import { Banner } from "../feedback/banner.js";
import { Dialog, DialogBody, DialogButtons } from "./dialog.js";

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** The action, such as `Turn on in Production`; never `OK`. */
  confirm: string;
  kind?: "primary" | "danger";
  onConfirm: () => void;
  onClose: () => void;
  pending?: boolean;
  /** Why the server refused. */
  problem?: Problem | undefined;
}

/** The focus starts on Cancel. */
export function ConfirmDialog({ title, children, confirm, kind = "primary", ...props }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={props.onClose} role="alertdialog" pending={props.pending === true}>
      <DialogBody>
        {props.problem && <Banner tone="bad">{problemText(props.problem)}</Banner>}
        {children}
      </DialogBody>
      <DialogButtons>
        <Button autoFocus isDisabled={props.pending === true} onPress={props.onClose}>
          Cancel
        </Button>
        <Button kind={kind} onPress={props.onConfirm} isPending={props.pending}>
          {confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
