// Decides on the selected requests of a list at once.
import { useState } from "react";
import { Button } from "../../../parts/button/button.js";
import { SelectionBar } from "../../../parts/list/selection-bar.js";
import type { BulkVerdict, DecidableRequest } from "../decisions.js";
import { BulkDialog } from "./bulk-dialog.js";

interface BulkDecisionsProps {
  /** The selected requests. */
  requests: readonly DecidableRequest[];
  hiddenCount: number;
  onClear: () => void;
}

export function BulkDecisions({ requests, hiddenCount, onClear }: BulkDecisionsProps) {
  // As they were when the dialog opened: what is decided leaves the selection.
  const [decision, setDecision] = useState<{ verdict: BulkVerdict; requests: readonly DecidableRequest[] }>();
  const [comment, setComment] = useState("");
  return (
    <>
      {requests.length > 0 && (
        <SelectionBar label="Selected requests" count={requests.length} hiddenCount={hiddenCount} onClear={onClear}>
          <div className="buttons">
            <Button onPress={() => setDecision({ verdict: "reject", requests })}>Reject…</Button>
            <Button kind="primary" onPress={() => setDecision({ verdict: "approve", requests })}>
              Approve…
            </Button>
          </div>
        </SelectionBar>
      )}
      {decision && (
        <BulkDialog
          {...decision}
          comment={comment}
          onComment={setComment}
          onDecided={() => {
            onClear();
            setComment("");
          }}
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  );
}
