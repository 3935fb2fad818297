// Renames an experiment that was started: what it measures stays as it is.
import { client, ifMatch } from "../../../api/client.js";
import { RenameDialog } from "../../../parts/dialog/rename-dialog.js";
import { toast } from "../../../parts/feedback/toast.js";
import { EXPERIMENT, type Place, pathOf, useExperiment } from "../experiments.js";

export function RenameExperiment({ place, onClose }: { place: Place; onClose: () => void }) {
  const stored = useExperiment(place);
  return (
    <RenameDialog
      title="Rename experiment"
      stored={stored}
      send={(name, version) =>
        client.PATCH(EXPERIMENT, { params: { path: pathOf(place), header: ifMatch(version) }, body: { name } })
      }
      onDone={(name) => {
        toast({ tone: "good", text: `Renamed to ${name}.` });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
