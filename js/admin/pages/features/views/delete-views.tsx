// Deletes saved views of the feature list.
import { Button, IconButton } from "../../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../../parts/dialog/dialog.js";
import type { PreferenceControls } from "../preferences.js";

type DeleteViewsProps = Pick<PreferenceControls, "views" | "deleteView"> & { onClose: () => void };

export function DeleteViews({ views, deleteView, onClose }: DeleteViewsProps) {
  return (
    <Dialog title="Delete views" onClose={onClose}>
      <DialogBody>
        {views.length === 0 ? (
          <p>You have no saved views.</p>
        ) : (
          <ul className="features-views">
            {views.map(({ name }) => (
              <li key={name}>
                <bdi>{name}</bdi>
                <IconButton icon="trash" label={`Delete ${name}`} onPress={() => void deleteView(name)} />
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogButtons>
        <Button autoFocus onPress={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
