// Asks before a change of what users get. Where an approval is required, it says that the change is only requested, and takes a
// comment for the approvers.
import { type ReactNode, useState } from "react";
import type { Problem } from "../../api/problem.js";
import { Button } from "../button/button.js";
import { ApprovalNote, CommentField } from "../feature/approval-request.js";
import { Form } from "../form/form.js";
import { Dialog, DialogBody, DialogButtons } from "./dialog.js";

interface ChangeDialogProps {
  /** `Turn on in production?` */
  title: string;
  /** What is done, to follow "Request approval to": `turn on in Production`. */
  action: string;
  /** The label of the button that makes the change: `Turn on in Production`. */
  confirm: string;
  kind?: "primary" | "danger";
  /** What requires an approval, from `approvalGates`. */
  gates: readonly string[];
  /** What will happen, and to whom. */
  children: ReactNode;
  pending: boolean;
  /** Why the server refused. */
  problem?: Problem | undefined;
  /** The comment is empty unless an approval is required. */
  onConfirm: (comment: string) => void;
  onClose: () => void;
}

/** The focus starts on Cancel. */
export function ChangeDialog({ title, action, confirm, kind = "primary", gates, ...props }: ChangeDialogProps) {
  const [comment, setComment] = useState("");
  const needsApproval = gates.length > 0;
  return (
    <Dialog title={needsApproval ? `Request approval to ${action}?` : title} onClose={props.onClose} role="alertdialog">
      <Form problem={props.problem} pending={props.pending} onSubmit={() => props.onConfirm(comment.trim())}>
        <DialogBody>
          {needsApproval && <ApprovalNote gates={gates} />}
          {props.children}
          {needsApproval && <CommentField value={comment} onChange={setComment} forApprovers />}
        </DialogBody>
        <DialogButtons>
          <Button autoFocus isDisabled={props.pending} onPress={props.onClose}>
            Cancel
          </Button>
          <Button kind={needsApproval ? "primary" : kind} type="submit" isPending={props.pending}>
            {needsApproval ? "Request approval" : confirm}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
