// A question before something that cannot be taken back: whoever says yes writes first what it is about.
import { type ReactNode, useState } from "react";
import type { Problem } from "../api/problem.js";
import { Button } from "./button.js";
import { Dialog, DialogBody, DialogButtons } from "./dialog.js";
import { Form } from "./form.js";
import { TextField } from "./text-field.js";

interface TypedConfirmationProps {
  title: string;
  onClose: () => void;
  /** What will happen, and to whom. */
  children: ReactNode;
  /** What has to be written. */
  expected: string;
  /** Says what is done: `Delete the project`. */
  confirm: string;
  onConfirm: () => void;
  pending: boolean;
  /** Why it was refused. */
  problem: Problem | undefined;
}

export function TypedConfirmation({ expected, confirm, onConfirm, ...props }: TypedConfirmationProps) {
  const [typed, setTyped] = useState("");
  const agreed = typed.trim() === expected;
  return (
    <Dialog title={props.title} isOpen onClose={props.onClose} role="alertdialog">
      <Form problem={props.problem} onSubmit={() => agreed && onConfirm()}>
        <DialogBody>
          {props.children}
          <TextField
            label={`Write ${expected} to go on`}
            mono
            autoFocus
            autoComplete="off"
            value={typed}
            onChange={setTyped}
          />
        </DialogBody>
        <DialogButtons>
          <Button onPress={props.onClose}>Cancel</Button>
          <Button kind="danger" type="submit" isDisabled={!agreed} isPending={props.pending}>
            {confirm}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
