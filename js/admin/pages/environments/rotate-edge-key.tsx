// Creates another edge key like an existing one, which stays valid, and shows it once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { EdgeKeyName } from "./edge-key-name.js";
import { EdgeKeySecret } from "./edge-key-secret.js";
import { EDGE_KEYS, type EdgeKey, ROTATE_EDGE_KEY } from "./edge-keys.js";

interface RotateEdgeKeyProps {
  project: string;
  edgeKey: EdgeKey;
  onClose: () => void;
}

export function RotateEdgeKey({ project, edgeKey, onClose }: RotateEdgeKeyProps) {
  const [secret, setSecret] = useState<string>();
  const path = { projectKey: project, keyId: edgeKey.id };
  const rotate = useChange(() => client.POST(ROTATE_EDGE_KEY, { params: { path } }), { refresh: [[EDGE_KEYS]] });
  if (secret !== undefined) return <EdgeKeySecret secret={secret} onClose={onClose} />;
  const send = async () => {
    const outcome = await rotate.run(undefined);
    if (outcome.kind === "done" && outcome.value.key) setSecret(outcome.value.key);
  };
  return (
    <ConfirmDialog
      title="Rotate this edge key?"
      confirm="Create new key"
      problem={rotate.problem}
      pending={rotate.pending}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <EdgeKeyName edgeKey={edgeKey} />
      <p>
        Another key with the same name and environments is created. This one stays valid, so that no edge has an outage:
        give edges the new key, then revoke this one.
      </p>
    </ConfirmDialog>
  );
}
