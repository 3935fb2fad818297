// Approving, rejecting, and taking a request back; each asks first, and takes a comment.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import type { Approval, Rights } from "./approvals.js";

type Verdict = "approve" | "reject" | "cancel";

interface DecideProps {
  project: string;
  approval: Approval;
  feature: string;
  place: { name: string; production: boolean };
  rights: Rights;
}

const WORDS: Record<Verdict, { title: string; confirm: string; done: string }> = {
  approve: { title: "Approve this change?", confirm: "Approve", done: "Approved, and the change was made." },
  reject: { title: "Reject this change?", confirm: "Reject", done: "Rejected. The change is not made." },
  cancel: { title: "Cancel this request?", confirm: "Cancel the request", done: "Cancelled. The change is not made." },
};

const CONFLICT = 409;

export function Decide({ project, approval, feature, place, rights }: DecideProps) {
  const [asking, setAsking] = useState<Verdict>();
  const [comment, setComment] = useState("");
  const queries = useQueryClient();
  const change = useChange((verdict: Verdict) =>
    client.POST(`/api/v1/projects/{projectKey}/approvals/{approvalId}/${verdict}`, {
      params: { path: { projectKey: project, approvalId: approval.id } },
      body: comment.trim() ? { comment } : {},
    }),
  );
  const close = () => {
    setAsking(undefined);
    change.reset();
  };
  const decide = async (verdict: Verdict) => {
    const outcome = await change.run(verdict);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: WORDS[verdict].done });
      close();
      return;
    }
    const problem = outcome.kind === "approvalRequested" ? undefined : outcome.problem;
    if (problem?.status !== CONFLICT) return;
    // Somebody was faster, or it is stale: the page then says so, and the dialog goes with what it asked about.
    toast({ tone: "bad", text: `This was not done. ${problem.detail}` });
    close();
    await queries.invalidateQueries();
  };
  const mayApprove = rights.mayDecide && !approval.stale;
  if (!rights.mayDecide && !rights.mayCancel) return null;
  return (
    <div className="approvals-decide">
      {rights.mayDecide && (
        <Button kind="primary" isDisabled={!mayApprove} onPress={() => setAsking("approve")}>
          Approve…
        </Button>
      )}
      {rights.mayDecide && <Button onPress={() => setAsking("reject")}>Reject…</Button>}
      {rights.mayCancel && (
        <Button kind="quiet" onPress={() => setAsking("cancel")}>
          Cancel the request…
        </Button>
      )}
      {asking && (
        <Dialog title={WORDS[asking].title} onClose={close} role="alertdialog">
          <Form problem={change.problem} onSubmit={() => void decide(asking)}>
            <DialogBody>
              {asking === "approve" && place.production && (
                <Banner tone="warn">
                  <strong>
                    <bdi>{place.name}</bdi>
                  </strong>{" "}
                  is a production environment: its users notice at once.
                </Banner>
              )}
              <p>
                The change of{" "}
                <strong>
                  <bdi>{feature}</bdi>
                </strong>{" "}
                in{" "}
                <strong>
                  <bdi>{place.name}</bdi>
                </strong>{" "}
                {asking === "approve"
                  ? "is made exactly as it is shown."
                  : "is not made. Another one can be asked for then."}
              </p>
              <TextField
                label="Comment"
                name="comment"
                lines={3}
                value={comment}
                onChange={setComment}
                hint="Optional."
              />
            </DialogBody>
            <DialogButtons>
              <Button autoFocus onPress={close}>
                Back
              </Button>
              <Button kind={asking === "approve" ? "primary" : "danger"} type="submit" isPending={change.pending}>
                {asking === "approve" ? `Approve for ${place.name}` : WORDS[asking].confirm}
              </Button>
            </DialogButtons>
          </Form>
        </Dialog>
      )}
    </div>
  );
}
