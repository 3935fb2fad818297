// Buttons to approve, reject and cancel a request. Each opens a dialog that takes a comment.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import type { Approval, Permissions } from "./approvals.js";
import { DecisionDialog } from "./decision-dialog.js";
import type { Verdict } from "./decisions.js";

interface DecisionButtonsProps {
  project: string;
  approval: Approval;
  featureName: string;
  environment: { name: string; production: boolean };
  permissions: Permissions;
}

export function DecisionButtons({ project, approval, featureName, environment, permissions }: DecisionButtonsProps) {
  const [verdict, setVerdict] = useState<Verdict>();
  const [comment, setComment] = useState("");
  if (!permissions.canDecide && !permissions.canCancel) return null;
  return (
    <div className="buttons">
      {permissions.canDecide && (
        <>
          <Button kind="primary" isDisabled={Boolean(approval.stale)} onPress={() => setVerdict("approve")}>
            Approve…
          </Button>
          <Button onPress={() => setVerdict("reject")}>Reject…</Button>
        </>
      )}
      {permissions.canCancel && (
        <Button kind="quiet" onPress={() => setVerdict("cancel")}>
          Cancel change…
        </Button>
      )}
      {verdict && (
        <DecisionDialog
          {...{ project, approval, featureName, environment, verdict, comment }}
          onComment={setComment}
          onClose={() => setVerdict(undefined)}
        />
      )}
    </div>
  );
}
