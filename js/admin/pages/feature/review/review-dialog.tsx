// Shows the changes before they are saved, and takes a comment. In production it is also the confirmation.
import type { Problem } from "../../../api/problem.js";
import { ChangeList } from "../../../parts/changes/change-list.js";
import { targetingLines } from "../../../parts/changes/descriptions.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { LineDiff } from "../../../parts/display/diff.js";
import { ApprovalNote, CommentField } from "../../../parts/feature/approval-request.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { toTargeting } from "../draft/draft.js";
import type { DraftState } from "../draft/use-draft.js";
import type { Environment, TargetingContext } from "../targeting-context.js";

interface ReviewDialogProps {
  context: TargetingContext;
  state: DraftState;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
  problem: Problem | undefined;
  pending: boolean;
  onSave: () => void;
  onClose: () => void;
}

export function ReviewDialog({ context, state, gates, problem, pending, onSave, onClose }: ReviewDialogProps) {
  const { environment, audienceNames } = context;
  const needsApproval = gates.length > 0;
  return (
    <Dialog title={titleFor(environment, needsApproval)} onClose={onClose} wide>
      <DialogForm
        problem={problem}
        pending={pending}
        submit={needsApproval ? "Request approval" : `Save to ${environment.name}`}
        onSubmit={onSave}
        onCancel={onClose}
      >
        <Consequences environment={environment} gates={gates} />
        <ChangeList changes={state.changes} label="Changes" />
        <LineDiff
          before={targetingLines(state.base, audienceNames)}
          after={targetingLines(toTargeting(state.draft), audienceNames)}
        />
        <CommentField value={state.comment} onChange={state.setComment} forApprovers={needsApproval} />
      </DialogForm>
    </Dialog>
  );
}

function titleFor(environment: Environment, needsApproval: boolean): string {
  if (needsApproval) return `Request approval for ${environment.name}?`;
  return environment.production ? "Save to production?" : `Save to ${environment.name}?`;
}

function Consequences({ environment, gates }: { environment: Environment; gates: readonly string[] }) {
  if (gates.length > 0) return <ApprovalNote gates={gates} />;
  if (!environment.production) return null;
  return (
    <Banner tone="warn">
      Users in <bdi>{environment.name}</bdi> get this immediately, including on open pages.
    </Banner>
  );
}
