// Shows the changes before they are saved, and takes a comment and a time. In production it is also the confirmation.
import { useState } from "react";
import type { Approval } from "../../../api/changes.js";
import type { Problem } from "../../../api/problem.js";
import { ChangeList } from "../../../parts/changes/change-list.js";
import type { Change } from "../../../parts/changes/changes.js";
import { targetingLines } from "../../../parts/changes/descriptions.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { LineDiff } from "../../../parts/display/diff.js";
import { formatTime } from "../../../parts/display/time.js";
import { ApprovalNote, CommentField } from "../../../parts/feature/approval-request.js";
import { ScheduleField } from "../../../parts/feature/schedule/schedule-field.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { type Draft, toTargeting } from "../draft/draft.js";
import type { DraftState } from "../draft/use-draft.js";
import type { Later } from "../editor/use-save.js";
import { lastReached, unreachedRules, whyUnreached } from "../rules/reach.js";
import { capitalized } from "../rules/rule-label.js";
import type { Audience, Environment, TargetingContext } from "../targeting-context.js";
import { useEarlier } from "./use-earlier.js";

interface ReviewDialogProps {
  context: TargetingContext;
  state: DraftState;
  /** What requires an approval; empty if nothing does. */
  gates: readonly string[];
  problem: Problem | undefined;
  pending: boolean;
  /** Undefined: now. */
  onSave: (later: Later | undefined) => void;
  onClose: () => void;
}

export function ReviewDialog({ context, state, gates, problem, pending, onSave, onClose }: ReviewDialogProps) {
  const { environment, audienceNames } = context;
  const [scheduledFor, setScheduledFor] = useState<string>();
  const needsApproval = gates.length > 0;
  const isScheduled = scheduledFor !== undefined;
  const earlier = useEarlier(context, state, isScheduled);
  const { draft, base, changes } = earlier.reviewed;
  const submit = async () => {
    if (scheduledFor === undefined) onSave(undefined);
    else if (await earlier.check()) onSave({ scheduledFor, draft });
  };
  return (
    <Dialog title={titleFor(environment, needsApproval, isScheduled)} onClose={onClose} wide>
      <DialogForm
        problem={problem ?? earlier.problem}
        pending={pending || earlier.isChecking}
        submit={submitFor(environment, needsApproval, isScheduled)}
        isSubmitDisabled={changes.length === 0 && isScheduled}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <Consequences environment={environment} gates={gates} isScheduled={isScheduled} />
        <BuildsOn change={earlier.change} hasChanged={earlier.hasChanged} changes={changes} />
        <UnreachedRules draft={draft} audiences={context.audiences} />
        <ChangeList changes={changes} label="Changes" />
        <LineDiff
          before={targetingLines(base, audienceNames)}
          after={targetingLines(toTargeting(draft), audienceNames)}
        />
        <ScheduleField value={scheduledFor} onChange={setScheduledFor} />
        <CommentField value={state.comment} onChange={state.setComment} forApprovers={needsApproval} />
      </DialogForm>
    </Dialog>
  );
}

interface BuildsOnProps {
  change: Approval | undefined;
  hasChanged: boolean;
  changes: readonly Change[];
}

function BuildsOn({ change, hasChanged, changes }: BuildsOnProps) {
  const time = change?.scheduledFor && formatTime(change.scheduledFor);
  return (
    <>
      {hasChanged && <Banner tone="warn">What is scheduled has just changed. Check the changes again.</Banner>}
      {time && (
        <Banner tone="note">
          {changes.length > 0
            ? `Builds on the change scheduled for ${time}. Below is what changes after that one.`
            : `The change scheduled for ${time} does all of this already.`}
        </Banner>
      )}
    </>
  );
}

/** How many rules are named; the rest are counted. */
const MAX_NAMED = 5;

function UnreachedRules({ draft, audiences }: { draft: Draft; audiences: readonly Audience[] }) {
  const last = lastReached(draft, audiences);
  const rules = unreachedRules(draft, last);
  if (last === undefined || rules.length === 0) return null;
  const more = rules.length - MAX_NAMED;
  return (
    <Banner tone="warn">
      Never reached: <bdi>{rules.slice(0, MAX_NAMED).join("; ")}</bdi>
      {more > 0 && ` and ${more} more`}. {capitalized(whyUnreached(last))}
    </Banner>
  );
}

function titleFor(environment: Environment, needsApproval: boolean, isScheduled: boolean): string {
  if (needsApproval) return `Request approval for ${environment.name}?`;
  if (isScheduled) return `Schedule for ${environment.name}?`;
  return environment.production ? "Save to production?" : `Save to ${environment.name}?`;
}

function submitFor(environment: Environment, needsApproval: boolean, isScheduled: boolean): string {
  if (needsApproval) return "Request approval";
  return isScheduled ? `Schedule for ${environment.name}` : `Save to ${environment.name}`;
}

interface ConsequencesProps {
  environment: Environment;
  gates: readonly string[];
  isScheduled: boolean;
}

function Consequences({ environment, gates, isScheduled }: ConsequencesProps) {
  if (gates.length > 0) return <ApprovalNote gates={gates} />;
  if (isScheduled) {
    return (
      <Banner tone="note">
        The change is made at its time. If somebody changes this targeting before then, it is not made and becomes
        stale.
      </Banner>
    );
  }
  if (!environment.production) return null;
  return (
    <Banner tone="warn">
      Users in <bdi>{environment.name}</bdi> get this immediately, including on open pages.
    </Banner>
  );
}
