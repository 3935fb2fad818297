// A token that shall not count any longer, after a question that says what stops.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { IconButton } from "../../parts/button/button.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { TOKEN, TOKENS, type Token } from "./tokens.js";

export function RevokeToken({ token, owner }: { token: Token; owner: string | undefined }) {
  const [asking, setAsking] = useState(false);
  const revoke = useChange(() => client.DELETE(TOKEN, { params: { path: { tokenId: token.id } } }), {
    refresh: [[TOKENS]],
  });
  const confirm = async () => {
    const outcome = await revoke.run(undefined);
    if (outcome.kind !== "done") return;
    setAsking(false);
    toast({ tone: "good", text: `The token ${token.name} was revoked.` });
  };
  return (
    <>
      <IconButton icon="trash" label={`Revoke ${token.name}`} onPress={() => setAsking(true)} />
      {asking && (
        <ConfirmDialog
          title="Revoke this token?"
          onClose={() => setAsking(false)}
          confirm="Revoke the token"
          kind="danger"
          onConfirm={() => void confirm()}
          pending={revoke.pending}
        >
          {revoke.problem && <Banner tone="bad">{revoke.problem.detail}</Banner>}
          <p>
            <strong>
              <bdi>{token.name}</bdi>
            </strong>
            {owner && (
              <>
                {" "}
                of <bdi>{owner}</bdi>
              </>
            )}{" "}
            stops counting at once: programs that use it are refused, and whoever has signed in with it is signed out.
            It cannot be taken back.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
