// Revokes a token after a confirmation that says what will stop working.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { IconButton } from "../../parts/button/button.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { TOKEN, TOKENS, type Token } from "./tokens.js";

export function RevokeToken({ token: { id, name }, owner }: { token: Token; owner: string | undefined }) {
  const [confirming, setConfirming] = useState(false);
  const close = () => setConfirming(false);
  const revoke = useChange(() => client.DELETE(TOKEN, { params: { path: { tokenId: id } } }), { refresh: [[TOKENS]] });
  return (
    <>
      <IconButton
        icon="trash"
        label={owner ? `Revoke ${name} of ${owner}` : `Revoke ${name}`}
        onPress={() => setConfirming(true)}
      />
      {confirming && (
        <DeleteDialog verb="Revoke" kind="token" name={name} change={revoke} onDone={close} onClose={close}>
          <p>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            {owner && (
              <>
                {" "}
                of <bdi>{owner}</bdi>
              </>
            )}{" "}
            will stop working immediately: programs that use it are rejected, and anyone signed in with it is signed
            out. This can't be undone.
          </p>
        </DeleteDialog>
      )}
    </>
  );
}
