// What can be done with the selected features of the list: tag them, and archive them.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import { deferredDialog } from "../../parts/dialog/deferred-dialog.js";
import { SelectionBar } from "../../parts/list/selection-bar.js";
import type { Environment, Feature, Pipeline } from "./features.js";

const TagDialog = deferredDialog("Change tags", async () => (await import("./dialogs.js")).TagDialog);
const ArchiveDialog = deferredDialog("Archive features", async () => (await import("./dialogs.js")).ArchiveDialog);

interface BulkActionsProps {
  project: string;
  /** The selected features. */
  features: readonly Feature[];
  hiddenCount: number;
  environments: readonly Environment[];
  pipelines: readonly Pipeline[];
  canArchive: boolean;
  onClear: () => void;
}

export function BulkActions(props: BulkActionsProps) {
  const { project, features, hiddenCount, environments, pipelines, canArchive, onClear } = props;
  // As they were when the dialog opened: an archived feature leaves the list, and with it the selection.
  const [dialog, setDialog] = useState<{ action: "tag" | "archive"; features: readonly Feature[] }>();
  const live = features.filter(({ lifecycle }) => lifecycle !== "Archived");
  const close = () => setDialog(undefined);
  const shared = { project, onDone: onClear, onClose: close };
  return (
    <>
      {features.length > 0 && (
        <SelectionBar label="Selected features" count={features.length} hiddenCount={hiddenCount} onClear={onClear}>
          <div className="buttons">
            <Button icon="tag" onPress={() => setDialog({ action: "tag", features })}>
              Tags…
            </Button>
            {canArchive && (
              <Button
                icon="archive"
                isDisabled={live.length === 0}
                onPress={() => setDialog({ action: "archive", features: live })}
              >
                Archive…
              </Button>
            )}
          </div>
        </SelectionBar>
      )}
      {dialog?.action === "tag" && <TagDialog {...shared} features={dialog.features} />}
      {dialog?.action === "archive" && (
        <ArchiveDialog {...shared} features={dialog.features} environments={environments} pipelines={pipelines} />
      )}
    </>
  );
}
