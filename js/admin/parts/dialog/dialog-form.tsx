// A form inside a dialog: fields, Cancel and a submit button. Errors appear at their fields, all others at the top.
import type { ReactNode } from "react";
import type { Problem } from "../../api/problem.js";
import { Button } from "../button/button.js";
import { Form } from "../form/form.js";
import { DialogBody, DialogButtons } from "./dialog.js";

interface DialogFormProps {
  children: ReactNode;
  problem: Problem | undefined;
  pending: boolean;
  /** The label of the submit button: `Save`. */
  submit: string;
  submitKind?: "primary" | "danger";
  isSubmitDisabled?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
}

export function DialogForm({ children, submit, submitKind = "primary", ...props }: DialogFormProps) {
  return (
    <Form problem={props.problem} pending={props.pending} onSubmit={props.onSubmit}>
      <DialogBody>{children}</DialogBody>
      <DialogButtons>
        <Button isDisabled={props.pending} onPress={props.onCancel}>
          Cancel
        </Button>
        <Button kind={submitKind} type="submit" isDisabled={props.isSubmitDisabled} isPending={props.pending}>
          {submit}
        </Button>
      </DialogButtons>
    </Form>
  );
}
