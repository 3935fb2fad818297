// Revokes an edge key after a confirmation that says what will stop working.
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { EdgeKeyName } from "./edge-key-name.js";
import { EDGE_KEY, EDGE_KEYS, type EdgeKey } from "./edge-keys.js";

interface RevokeEdgeKeyProps {
  project: string;
  edgeKey: EdgeKey;
  onClose: () => void;
}

export function RevokeEdgeKey({ project, edgeKey, onClose }: RevokeEdgeKeyProps) {
  const path = { projectKey: project, keyId: edgeKey.id };
  const revoke = useChange(() => client.DELETE(EDGE_KEY, { params: { path } }), { refresh: [[EDGE_KEYS]] });
  return (
    <DeleteDialog verb="Revoke" kind="edge key" name={edgeKey.name} change={revoke} onDone={onClose} onClose={onClose}>
      <EdgeKeyName edgeKey={edgeKey} />
      <p>Edges that use it stop serving: at once if they are connected, otherwise when they connect again.</p>
      <p>This can't be undone. Rotate the key and give edges the new one first to avoid an outage.</p>
    </DeleteDialog>
  );
}
