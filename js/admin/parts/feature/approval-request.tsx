// What a dialog shows where a change is not made at once, but requested: who requires the approval, and the comment.
import { Banner } from "../feedback/banner.js";
import { TextField } from "../form/text-field.js";

/** `gates` are what requires the approval, from `approvalGates`. */
export function ApprovalNote({ gates }: { gates: readonly string[] }) {
  return (
    <Banner tone="note">
      Approval is required by <bdi>{gates.join(", ")}</bdi>. Nothing changes until another person approves it.
    </Banner>
  );
}

interface CommentFieldProps {
  value: string;
  onChange: (comment: string) => void;
  /** Whether approvers read it, or only who reads the audit log. */
  forApprovers: boolean;
}

export function CommentField({ value, onChange, forApprovers }: CommentFieldProps) {
  return (
    <TextField
      label="Comment"
      name="comment"
      isRequired={false}
      lines={2}
      value={value}
      onChange={onChange}
      hint={forApprovers ? "For approvers and the audit log." : "For the audit log."}
    />
  );
}
