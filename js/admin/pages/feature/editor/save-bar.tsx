// The bar at the bottom while there are unsaved changes.
import { Button } from "../../../parts/button/button.js";

interface SaveBarProps {
  /** 0: something is incomplete, but nothing valid has changed. */
  changeCount: number;
  /** Another change is pending approval. */
  isBlocked: boolean;
  needsApproval: boolean;
  saving: boolean;
  onReview: () => void;
  onDiscard: () => void;
}

export function SaveBar({ changeCount, isBlocked, needsApproval, saving, onReview, onDiscard }: SaveBarProps) {
  return (
    <section className="targeting-save" aria-label="Unsaved changes">
      <p role="status">
        <strong>{countText(changeCount)}</strong>
        {isBlocked && " · Another change is pending approval. You can save once it is decided."}
      </p>
      <Button kind="quiet" isDisabled={saving} onPress={onDiscard}>
        Discard
      </Button>
      <Button kind="primary" isDisabled={isBlocked || saving} onPress={onReview}>
        {needsApproval ? "Review and request approval…" : "Review and save…"}
      </Button>
    </section>
  );
}

function countText(count: number): string {
  if (count === 0) return "Incomplete changes";
  return count === 1 ? "1 unsaved change" : `${count} unsaved changes`;
}
