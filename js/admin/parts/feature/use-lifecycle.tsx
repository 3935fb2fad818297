// Changes the lifecycle of a feature; archiving asks first.
import { type ReactNode, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { components } from "../../api/schema.js";
import { ConfirmDialog } from "../dialog/confirm-dialog.js";
import { approvalRequested } from "../feedback/approval-requested.js";
import { toast } from "../feedback/toast.js";

type Lifecycle = components["schemas"]["Lifecycle"];

const RESULT: Record<Lifecycle, string> = { Draft: "a draft", Active: "active", Archived: "archived" };

interface LifecycleControls {
  setLifecycle: (lifecycle: Lifecycle) => void;
  /** Opens the dialog that asks before archiving. */
  askToArchive: () => void;
  /** Whether a change without a dialog is in progress. */
  pending: boolean;
  /** Render this: the dialog while it is open. */
  dialog: ReactNode;
}

/** With a `version`, the change fails if someone else has changed the feature since. */
export function useLifecycle(
  project: string,
  { key, name }: { key: string; name: string },
  version?: string,
): LifecycleControls {
  const [asking, setAsking] = useState(false);
  const change = useChange((lifecycle: Lifecycle) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: key }, header: ifMatch(version) },
      body: { lifecycle },
    }),
  );
  const setLifecycle = async (lifecycle: Lifecycle) => {
    const outcome = await change.run(lifecycle);
    setAsking(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${name} is now ${RESULT[lifecycle]}.` });
    else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `${name} was not changed: someone else has just changed it. Check it again.` });
    } else if (outcome.kind === "approvalRequested") {
      const text = `Approval requested to make ${name} ${RESULT[lifecycle]}. Nothing has changed yet.`;
      toast(approvalRequested(project, outcome.approval, text));
    } else if (outcome.kind === "refused") toast({ tone: "bad", text: outcome.problem.detail });
  };
  const dialog = asking && (
    <ConfirmDialog
      title="Archive this feature?"
      onClose={() => setAsking(false)}
      confirm="Archive"
      kind="danger"
      onConfirm={() => void setLifecycle("Archived")}
      pending={change.pending}
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        will no longer be sent to clients in any environment: they use the default in their code, or <code>off</code>.
        Its targeting is kept, and you can restore it.
      </p>
    </ConfirmDialog>
  );
  return {
    setLifecycle: (lifecycle) => void setLifecycle(lifecycle),
    askToArchive: () => setAsking(true),
    pending: change.pending && !asking,
    dialog,
  };
}
