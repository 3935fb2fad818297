// Shows both versions when someone else has saved first, and lets the person choose one.
import { Button } from "../../../parts/button/button.js";
import { ChangeList } from "../../../parts/changes/change-list.js";
import { changesBetween } from "../../../parts/changes/changes.js";
import { targetingLines } from "../../../parts/changes/descriptions.js";
import { Dialog, DialogBody, DialogButtons } from "../../../parts/dialog/dialog.js";
import { LineDiff } from "../../../parts/display/diff.js";
import { type SavedTargeting, toTargeting } from "../draft/draft.js";
import type { DraftState } from "../draft/use-draft.js";
import type { TargetingContext } from "../targeting-context.js";

interface ConflictDialogProps {
  context: TargetingContext;
  state: DraftState;
  /** The version that someone else has saved. */
  saved: SavedTargeting;
  onKeepMine: () => void;
  onClose: () => void;
}

export function ConflictDialog({ context, state, saved, onKeepMine, onClose }: ConflictDialogProps) {
  const { audienceNames } = context;
  const theirChanges = changesBetween([state.base, saved], audienceNames);
  const resetToTheirs = () => {
    state.discard(saved);
    onClose();
  };
  return (
    <Dialog title="Someone else changed this targeting" onClose={onClose} wide>
      <DialogBody>
        <p>Your changes are not lost. Compare both versions, then choose one.</p>
        <div className="targeting-sides">
          <section aria-label="Their changes">
            <h3>Their changes</h3>
            {theirChanges.length > 0 ? (
              <ChangeList changes={theirChanges} label="Their changes" />
            ) : (
              <p>No visible changes.</p>
            )}
          </section>
          <section aria-label="Your changes">
            <h3>Your changes</h3>
            <ChangeList changes={state.changes} label="Your changes" />
          </section>
        </div>
        <LineDiff
          before={targetingLines(saved, audienceNames)}
          after={targetingLines(toTargeting(state.draft), audienceNames)}
          labels={["Their version, saved", "Your version"]}
        />
      </DialogBody>
      <DialogButtons>
        <Button kind="quiet" onPress={onClose}>
          Decide later
        </Button>
        <Button onPress={resetToTheirs}>Use theirs</Button>
        <Button kind="primary" onPress={onKeepMine}>
          Overwrite with mine…
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
