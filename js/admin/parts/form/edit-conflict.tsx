// Shown above the fields when someone else has saved first: both versions, and a way to use theirs.
import { Button } from "../button/button.js";
import { Diff } from "../display/diff.js";
import { Banner } from "../feedback/banner.js";

interface EditConflictProps {
  /** What is stored now. */
  theirs: unknown;
  /** What the person has typed. */
  yours: unknown;
  onUseTheirs: () => void;
}

/** Saving again overwrites theirs. */
export function EditConflict({ theirs, yours, onUseTheirs }: EditConflictProps) {
  return (
    <>
      <Banner tone="warn" actions={<Button onPress={onUseTheirs}>Use theirs</Button>}>
        Someone else has saved changes since you started. Yours are not saved yet. Save again to overwrite theirs.
      </Banner>
      <Diff before={theirs} after={yours} labels={["Theirs", "Yours"]} />
    </>
  );
}
