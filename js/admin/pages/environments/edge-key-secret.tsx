// Shows a new edge key, once.
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";

export function EdgeKeySecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog title="Edge key created" label="edge key" secret={secret} onClose={onClose}>
      <p>It is secret: keep it on edges. With it, they read all rules of their environments, and send goals.</p>
    </SecretDialog>
  );
}
