// Somebody else has saved meanwhile: both sides, and the choice between them.
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { LineDiff } from "../../parts/display/diff.js";
import { ChangeList } from "./change-list.js";
import { changesOf } from "./changes.js";
import { type Saved, toTargeting } from "./draft.js";
import type { Targeted } from "./targeted.js";
import type { DraftState } from "./use-draft.js";
import { targetingLines } from "./words.js";

interface ConflictDialogProps {
  targeted: Targeted;
  state: DraftState;
  saved: Saved;
  onClose: () => void;
  /** They have looked, and go on with their own. */
  onOwn: () => void;
}

export function ConflictDialog({ targeted, state, saved, onClose, onOwn }: ConflictDialogProps) {
  const { audienceNames } = targeted;
  const theirs = changesOf([state.base, saved], audienceNames);
  const take = () => {
    state.startOver(saved);
    onClose();
  };
  return (
    <Dialog title="Somebody else has changed this meanwhile" onClose={onClose} wide>
      <DialogBody>
        <p>Nothing of yours is lost. Look at both sides, then choose.</p>
        <div className="targeting-sides">
          <section aria-label="Their changes">
            <h3>They have changed</h3>
            {theirs.length > 0 ? <ChangeList changes={theirs} label="Their changes" /> : <p>Nothing that shows.</p>}
          </section>
          <section aria-label="Your changes">
            <h3>You have changed</h3>
            <ChangeList changes={state.changes} label="Your changes" />
          </section>
        </div>
        <LineDiff
          before={targetingLines(saved, audienceNames)}
          after={targetingLines(toTargeting(state.draft), audienceNames)}
          labels={["Saved now, theirs", "Yours"]}
        />
      </DialogBody>
      <DialogButtons>
        <Button kind="quiet" onPress={onClose}>
          Decide later
        </Button>
        <Button onPress={take}>Take theirs</Button>
        <Button kind="primary" onPress={onOwn}>
          Put mine over it…
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
