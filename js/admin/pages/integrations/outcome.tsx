// What became of a delivery, in a word.
import { Chip } from "../../parts/display/chip.js";

export function Delivered({ success }: { success: boolean }) {
  return success ? (
    <Chip tone="good" icon="check">
      Delivered
    </Chip>
  ) : (
    <Chip tone="bad" icon="warning">
      Failed
    </Chip>
  );
}
