// Banners above the editor: about other people's changes, restored and discarded changes, and errors without a field.
import { Button } from "../../../parts/button/button.js";
import { Banner } from "../../../parts/feedback/banner.js";
import type { DraftState } from "../draft/use-draft.js";

interface NoticesProps {
  state: DraftState;
  errors: readonly string[];
  /** While the draft is saved, a newer version is the person's own. */
  saving: boolean;
  onCompare: () => void;
}

export function Notices({ state, errors, saving, onCompare }: NoticesProps) {
  return (
    <>
      {state.outdated && !saving && (
        <Banner tone="warn" actions={<Button onPress={onCompare}>Compare changes</Button>}>
          Someone else changed this targeting after you started editing. Your changes are still here.
        </Banner>
      )}
      {state.restored && state.dirty && <Banner tone="note">Your unsaved changes were restored from this tab.</Banner>}
      {state.canUndoDiscard && (
        <Banner tone="note" actions={<Button onPress={state.undoDiscard}>Undo</Button>}>
          Your changes were discarded.
        </Banner>
      )}
      {errors.length > 0 && (
        <Banner tone="bad">
          {errors.map((error) => (
            <div key={error}>{error}</div>
          ))}
        </Banner>
      )}
    </>
  );
}
