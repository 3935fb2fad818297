// Somebody else has saved meanwhile: both sides, and whose is to count. What was typed stays until that is decided.

import { Button } from "../button/button.js";
import { Diff } from "../display/diff.js";
import { Banner } from "../feedback/banner.js";

interface EditConflictProps {
  /** What is stored by now. */
  theirs: unknown;
  /** What was typed. */
  yours: unknown;
  onTakeTheirs: () => void;
}

/** Stands above the fields; saving once more goes over what the other person has saved. */
export function EditConflict({ theirs, yours, onTakeTheirs }: EditConflictProps) {
  return (
    <>
      <Banner tone="warn" actions={<Button onPress={onTakeTheirs}>Take theirs</Button>}>
        Somebody else has saved a change meanwhile. Nothing of yours was saved, and nothing is lost. Save again to put
        yours in its place.
      </Banner>
      <Diff before={theirs} after={yours} labels={["Saved by somebody else", "Yours"]} />
    </>
  );
}
