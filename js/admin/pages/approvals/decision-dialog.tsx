// Confirms an approval, a rejection or a cancellation.
import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../api/changes.js";
import { problemText } from "../../api/problem.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import type { Approval, ApprovalState } from "./approvals.js";
import { decidedState, sendDecision, type Verdict } from "./decisions.js";

const TEXT: Record<Verdict, { title: string; confirm: string; done: string; effect: string }> = {
  approve: {
    title: "Approve this change?",
    confirm: "Approve",
    done: "Approved and applied.",
    effect: "will be applied exactly as shown.",
  },
  reject: {
    title: "Reject this change?",
    confirm: "Reject",
    done: "Rejected. The change was not applied.",
    effect: "will not be applied. A new change can be requested.",
  },
  cancel: {
    title: "Cancel this change?",
    confirm: "Cancel change",
    done: "Cancelled. The change was not applied.",
    effect: "will not be applied. A new change can be requested.",
  },
};

const CONFLICT = 409;

interface DecisionDialogProps {
  project: string;
  approval: Approval;
  featureName: string;
  environment: { name: string; production: boolean };
  verdict: Verdict;
  comment: string;
  onComment: (comment: string) => void;
  onClose: () => void;
}

export function DecisionDialog(props: DecisionDialogProps) {
  const { approval, environment, verdict, comment, onComment, onClose } = props;
  const { decide, pending, problem } = useDecision(props);
  const { title, confirm } = TEXT[verdict];
  const isApproval = verdict === "approve";
  return (
    <Dialog title={title} onClose={onClose} role="alertdialog">
      <Form problem={problem} pending={pending} onSubmit={() => void decide()}>
        <DialogBody>
          {isApproval && environment.production && (
            <Banner tone="warn">
              <strong>
                <bdi>{environment.name}</bdi>
              </strong>{" "}
              is a production environment. Users get the change {approval.scheduledFor ? "at its time" : "immediately"}.
            </Banner>
          )}
          <Effect {...props} />
          <TextField label="Comment" name="comment" isRequired={false} lines={3} value={comment} onChange={onComment} />
        </DialogBody>
        <DialogButtons>
          <Button autoFocus isDisabled={pending} onPress={onClose}>
            Back
          </Button>
          <Button kind={isApproval ? "primary" : "danger"} type="submit" isPending={pending}>
            {isApproval ? `Approve for ${environment.name}` : confirm}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

function Effect({ featureName, environment, verdict }: DecisionDialogProps) {
  return (
    <p>
      The change to{" "}
      <strong>
        <bdi>{featureName}</bdi>
      </strong>{" "}
      in{" "}
      <strong>
        <bdi>{environment.name}</bdi>
      </strong>{" "}
      {TEXT[verdict].effect}
    </p>
  );
}

function doneText(state: ApprovalState, verdict: Verdict): string {
  return state === "scheduled" ? "Approved. The change is made at its time." : TEXT[verdict].done;
}

function useDecision({ project, approval, verdict, comment, onClose }: DecisionDialogProps) {
  const queries = useQueryClient();
  const change = useChange(sendDecision);
  const decide = async () => {
    const outcome = await change.run({ request: { project, id: approval.id }, verdict, comment });
    if (outcome.kind === "done") {
      toast({ tone: "good", text: doneText(decidedState(outcome), verdict) });
      onClose();
      return;
    }
    const problem = outcome.kind === "approvalRequested" ? undefined : outcome.problem;
    if (problem?.status !== CONFLICT) return;
    // The request is stale, or someone else has decided first. The page shows which, once it is refreshed.
    toast({ tone: "bad", text: `Your decision was not saved. ${problemText(problem)}` });
    onClose();
    await queries.invalidateQueries();
  };
  return { decide, pending: change.pending, problem: change.problem };
}
