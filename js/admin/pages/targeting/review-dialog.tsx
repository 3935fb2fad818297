// Before it is saved: what changes, in words and line by line, and what is said of it. In production this is the confirmation.
import type { Problem } from "../../api/problem.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { LineDiff } from "../../parts/display/diff.js";
import { Banner } from "../../parts/feedback/banner.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { ChangeList } from "./change-list.js";
import { toTargeting } from "./draft.js";
import type { Targeted } from "./targeted.js";
import type { DraftState } from "./use-draft.js";
import { targetingLines } from "./words.js";

interface ReviewDialogProps {
  targeted: Targeted;
  state: DraftState;
  /** What will hold the change for approval; empty when nothing does. */
  gates: readonly string[];
  problem: Problem | undefined;
  pending: boolean;
  onClose: () => void;
  onSave: () => void;
}

export function ReviewDialog({ targeted, state, gates, problem, pending, onClose, onSave }: ReviewDialogProps) {
  const { environment, audienceNames } = targeted;
  const held = gates.length > 0;
  const title = held
    ? `Request approval for ${environment.name}?`
    : environment.production
      ? "Save to production?"
      : `Save in ${environment.name}?`;
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Form problem={problem} onSubmit={onSave}>
        <DialogBody>
          {held ? (
            <Banner tone="note">
              This change is held for approval: {gates.join(", ")}. Users get it once somebody else has approved it.
            </Banner>
          ) : (
            environment.production && (
              <Banner tone="warn">
                Users of <bdi>{environment.name}</bdi> get this at once, on pages that are open too.
              </Banner>
            )
          )}
          <ChangeList changes={state.changes} label="What changes" />
          <LineDiff
            before={targetingLines(state.base, audienceNames)}
            after={targetingLines(toTargeting(state.draft), audienceNames)}
          />
          <TextField
            label="Comment"
            name="comment"
            isRequired={false}
            lines={2}
            value={state.comment}
            onChange={state.setComment}
            hint={held ? "For those who approve it, and for the audit log." : "For the audit log."}
          />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={pending}>
            {held ? "Request approval" : `Save in ${environment.name}`}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
