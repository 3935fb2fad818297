// Whether a delivery succeeded.
import { Chip } from "../../parts/display/chip.js";

export function DeliveryChip({ success }: { success: boolean }) {
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
