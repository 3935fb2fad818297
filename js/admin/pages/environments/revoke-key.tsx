// A key that shall not count any longer, after a question that says what breaks.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { IconButton } from "../../parts/button/button.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import type { SdkKey } from "./environments.js";
import { KINDS } from "./key-kinds.js";
import type { KeysProps } from "./keys.js";

export function RevokeKey({
  kind,
  project,
  environmentKey,
  sdkKey: { id, name, hint },
  isLast,
}: KeysProps & { sdkKey: SdkKey; isLast: boolean }) {
  const { list, each, one, prefix, breaks } = KINDS[kind];
  const [asking, setAsking] = useState(false);
  const revoke = useChange(
    () => client.DELETE(each, { params: { path: { projectKey: project, environmentKey, keyId: id } } }),
    { refresh: [[list]] },
  );
  const confirm = async () => {
    const outcome = await revoke.run(undefined);
    if (outcome.kind !== "done") return;
    setAsking(false);
    toast({ tone: "good", text: `The ${one} ${name} was revoked.` });
  };
  return (
    <>
      <IconButton icon="trash" label={`Revoke ${name}`} onPress={() => setAsking(true)} />
      {asking && (
        <ConfirmDialog
          title={`Revoke this ${one}?`}
          onClose={() => setAsking(false)}
          confirm="Revoke the key"
          kind="danger"
          onConfirm={() => void confirm()}
          pending={revoke.pending}
        >
          {revoke.problem && <Banner tone="bad">{revoke.problem.detail}</Banner>}
          <p>
            <strong>
              <bdi>{name}</bdi>
            </strong>{" "}
            <code>
              {prefix}…{hint}
            </code>
          </p>
          <p>{breaks}</p>
          <p>
            {isLast
              ? `It is the only ${one} of this environment. Make another one and put it in place first, so that nothing stops.`
              : "It cannot be taken back. Put another key in its place first, so that nothing stops."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
