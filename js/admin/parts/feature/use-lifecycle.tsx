// Changes the lifecycle of a feature. Archiving asks first, and so does restoring where an approval is required.
import { type ReactNode, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { problemText } from "../../api/problem.js";
import type { components } from "../../api/schema.js";
import { deferredDialog } from "../dialog/deferred-dialog.js";
import { approvalRequested } from "../feedback/approval-requested.js";
import { toast } from "../feedback/toast.js";

const LifecycleDialog = deferredDialog(
  "Archive or restore",
  async () => (await import("./dialogs.js")).LifecycleDialog,
);

type Lifecycle = components["schemas"]["Lifecycle"];

const RESULT: Record<Lifecycle, string> = { Draft: "a draft", Active: "active", Archived: "archived" };

interface LifecycleOptions {
  /** What requires an approval in any environment: archiving and restoring change what all of them serve. */
  gates: readonly string[];
  /** With it, a change fails if someone else has changed the feature since. */
  version?: string | undefined;
}

interface LifecycleControls {
  /** Makes a draft active, which changes nothing for users. */
  activate: () => void;
  archive: () => void;
  restore: () => void;
  /** Whether a change without a dialog is in progress. */
  pending: boolean;
  /** Render this: the dialog while it is open. */
  dialog: ReactNode;
}

export function useLifecycle(
  project: string,
  { key, name }: { key: string; name: string },
  { gates, version }: LifecycleOptions,
): LifecycleControls {
  const [asking, setAsking] = useState<"Active" | "Archived">();
  const change = useChange(({ lifecycle, comment }: { lifecycle: Lifecycle; comment: string }) =>
    client.PATCH("/api/v1/projects/{projectKey}/features/{featureKey}", {
      params: { path: { projectKey: project, featureKey: key }, header: ifMatch(version) },
      body: { lifecycle, ...(comment && { comment }) },
    }),
  );
  const close = () => {
    change.reset();
    setAsking(undefined);
  };
  const set = async (lifecycle: Lifecycle, comment = "") => {
    const outcome = await change.run({ lifecycle, comment });
    // The dialog stays open, with what was typed, and shows why the server refused.
    if (asking && outcome.kind === "refused") return;
    close();
    if (outcome.kind === "done") toast({ tone: "good", text: `${name} is now ${RESULT[lifecycle]}.` });
    else if (outcome.kind === "conflict") {
      toast({ tone: "bad", text: `${name} was not changed: someone else has just changed it. Check it again.` });
    } else if (outcome.kind === "approvalRequested") {
      const text = `Approval requested to make ${name} ${RESULT[lifecycle]}. Nothing has changed yet.`;
      toast(approvalRequested(project, outcome.approval, text));
    } else if (outcome.kind === "refused") toast({ tone: "bad", text: problemText(outcome.problem) });
  };
  return {
    activate: () => void set("Active"),
    archive: () => setAsking("Archived"),
    restore: () => (gates.length > 0 ? setAsking("Active") : void set("Active")),
    pending: change.pending && !asking,
    dialog: asking && (
      <LifecycleDialog
        {...{ name, gates }}
        to={asking}
        pending={change.pending}
        problem={change.problem}
        onConfirm={(comment) => void set(asking, comment)}
        onClose={close}
      />
    ),
  };
}
