// Creates or edits a connection. An existing one is read again first, so that the form starts from its latest version.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ProjectEnvironment } from "../../api/projects.js";
import { resource, type Versioned } from "../../api/queries.js";
import { Dialog, DialogBody } from "../../parts/dialog/dialog.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { ConnectionForm } from "./connection-form.js";
import { INTEGRATION, type Integration } from "./integrations.js";
import { KINDS, type Kind } from "./kinds.js";
import { SigningSecret } from "./signing-secret.js";

interface ConnectionDialogProps {
  kind: Kind;
  /** Undefined for a new connection. */
  id?: string;
  environments: readonly ProjectEnvironment[] | undefined;
  onClose: () => void;
}

export function ConnectionDialog({ kind, id, environments, onClose }: ConnectionDialogProps) {
  const [secret, setSecret] = useState<string>();
  const form = { kind, environments, onSecret: setSecret, onClose };
  if (secret !== undefined) return <SigningSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog title={id === undefined ? KINDS[kind].connect : `Edit ${KINDS[kind].noun}`} onClose={onClose}>
      {id === undefined ? <ConnectionForm {...form} /> : <StoredConnection {...form} id={id} />}
    </Dialog>
  );
}

interface StoredConnectionProps {
  kind: Kind;
  id: string;
  environments: readonly ProjectEnvironment[] | undefined;
  onSecret: (secret: string) => void;
  onClose: () => void;
}

function StoredConnection({ id, ...form }: StoredConnectionProps) {
  const queries = useQueryClient();
  const [stored, setStored] = useState<Versioned<Integration>>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    setError(undefined);
    queries.fetchQuery({ ...resource(INTEGRATION, { path: { id } }), staleTime: 0 }).then(setStored, setError);
  }, [id, queries, attempt]);

  if (stored) return <ConnectionForm {...form} id={id} stored={stored} />;
  return (
    <DialogBody>
      {error === undefined ? (
        <div aria-busy="true">
          <Skeleton width="100%" height="24rem" />
        </div>
      ) : (
        <ErrorState error={error} onRetry={() => setAttempt(attempt + 1)} />
      )}
    </DialogBody>
  );
}
