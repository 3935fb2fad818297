// The signing secret of a webhook: shown once, and replaced after confirmation.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";
import { INTEGRATION, INTEGRATIONS } from "./integrations.js";

/** Where the guide says how a receiver verifies requests. */
const VERIFYING = "/docs/notifications/#verify-the-signature";

export function SigningSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog title="Signing secret" label="secret" secret={secret} onClose={onClose}>
      <p>
        The receiver needs it to check that requests come from here.{" "}
        <a href={VERIFYING} target="_blank" rel="noreferrer">
          How to verify the signature
        </a>
      </p>
    </SecretDialog>
  );
}

export function ReplaceSigningSecret({ id, onClose }: { id: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  const replace = useChange(
    () => client.POST("/api/v1/admin/integrations/outbound/{id}/secret", { params: { path: { id } } }),
    { refresh: [[INTEGRATIONS], [INTEGRATION]] },
  );
  if (secret !== undefined) return <SigningSecret secret={secret} onClose={onClose} />;
  const send = async () => {
    const outcome = await replace.run(undefined);
    if (outcome.kind === "done" && outcome.value.signingSecret) setSecret(outcome.value.signingSecret);
  };
  return (
    <ConfirmDialog
      title="Replace the signing secret?"
      confirm="Replace secret"
      problem={replace.problem}
      pending={replace.pending}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>For 24 hours, requests are signed with both secrets, so that you can change the receiver meanwhile.</p>
    </ConfirmDialog>
  );
}
