// A connection deleted, after a question: what waits for it is gone with it.
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { INTEGRATIONS, type Integration } from "./integrations.js";

interface DeleteConnectionProps {
  integration: Integration;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}

export function DeleteConnection({ integration, onClose, onDeleted }: DeleteConnectionProps) {
  const { id, configuration, backlog } = integration;
  const remove = useChange(
    () => client.DELETE("/api/v1/admin/integrations/outbound/{id}", { params: { path: { id } } }),
    { refresh: [[INTEGRATIONS]] },
  );
  const confirm = async () => {
    const outcome = await remove.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: "The analytics connection was deleted." });
    onClose();
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      title="Delete this connection?"
      onClose={onClose}
      confirm="Delete the connection"
      kind="danger"
      onConfirm={() => void confirm()}
      pending={remove.pending}
    >
      {remove.problem && <Banner tone="bad">{remove.problem.detail}</Banner>}
      <p>
        No change is told of any more to <strong>Analytics</strong> in the region {configuration.analytics.region}. Its
        keys and its delivery log are deleted with it. Annotations that were delivered stay where they are.
      </p>
      {backlog.waiting > 0 && (
        <p>
          <strong>
            {backlog.waiting === 1
              ? "1 change that waits is never delivered."
              : `${backlog.waiting.toLocaleString("en-GB")} changes that wait are never delivered.`}
          </strong>
        </p>
      )}
    </ConfirmDialog>
  );
}
