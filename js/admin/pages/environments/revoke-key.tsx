// Revokes a key after a confirmation that says what will stop working.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { IconButton } from "../../parts/button/button.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { KEY_KINDS, type KeyScope, type SdkKey } from "../../parts/keys/sdk-keys.js";

interface RevokeKeyProps {
  scope: KeyScope;
  sdkKey: SdkKey;
  /** Whether the environment has no other key of this kind. */
  isLast: boolean;
}

export function RevokeKey({ scope, sdkKey: { id, name, hint }, isLast }: RevokeKeyProps) {
  const { listPath, itemPath, noun, prefix, revokeEffect } = KEY_KINDS[scope.kind];
  const path = { projectKey: scope.project, environmentKey: scope.environmentKey, keyId: id };
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  const revoke = useChange(() => client.DELETE(itemPath, { params: { path } }), { refresh: [[listPath]] });
  return (
    <>
      <IconButton icon="trash" label={`Revoke ${name}`} onPress={() => setConfirming(true)} />
      {confirming && (
        <DeleteDialog verb="Revoke" kind={noun} name={name} change={revoke} onDone={close} onClose={close}>
          <p>
            <strong>
              <bdi>{name}</bdi>
            </strong>{" "}
            <code>
              {prefix}…{hint}
            </code>
          </p>
          <p>{revokeEffect}</p>
          <p>
            {isLast
              ? `This is the only ${noun} of this environment. Create another one and deploy it first to avoid an outage.`
              : "This can't be undone. Deploy another key first to avoid an outage."}
          </p>
        </DeleteDialog>
      )}
    </>
  );
}
