// Lists the keys that work on every page.
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { SHORTCUTS } from "./keys.js";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <DialogBody>
        <dl className="shortcuts">
          {SHORTCUTS.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd className="key-cap">{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
      <DialogButtons>
        <Button onPress={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}
