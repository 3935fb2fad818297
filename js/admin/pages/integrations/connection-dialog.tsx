// Creates or edits a connection. An existing one is read again first, so that the form starts from its latest version.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { resource, type Versioned } from "../../api/queries.js";
import { Dialog, DialogBody } from "../../parts/dialog/dialog.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { ConnectionForm } from "./connection-form.js";
import { INTEGRATION, type Integration, type ProjectEnvironment } from "./integrations.js";

interface ConnectionDialogProps {
  /** Undefined for a new connection. */
  id?: string;
  environments: readonly ProjectEnvironment[] | undefined;
  onClose: () => void;
}

export function ConnectionDialog({ id, environments, onClose }: ConnectionDialogProps) {
  const [saving, setSaving] = useState(false);
  const form = { environments, onSaving: setSaving, onClose };
  return (
    <Dialog
      title={id === undefined ? "Connect analytics" : "Edit analytics connection"}
      onClose={onClose}
      dismissable={!saving}
    >
      {id === undefined ? <ConnectionForm {...form} /> : <StoredConnection {...form} id={id} />}
    </Dialog>
  );
}

interface StoredConnectionProps {
  id: string;
  environments: readonly ProjectEnvironment[] | undefined;
  onSaving: (saving: boolean) => void;
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
