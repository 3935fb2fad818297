// Break-glass: switches targeting off at once where an approval is required or pending, and shows that someone did.
import { useState } from "react";
import { useChange } from "../../../api/changes.js";
import { client } from "../../../api/client.js";
import { Button } from "../../../parts/button/button.js";
import { Dialog } from "../../../parts/dialog/dialog.js";
import { DialogForm } from "../../../parts/dialog/dialog-form.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { toast } from "../../../parts/feedback/toast.js";
import { TextField } from "../../../parts/form/text-field.js";
import type { AuditEntry } from "../changes/use-history.js";
import type { TargetingContext } from "../targeting-context.js";

const DATE_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function BreakGlassButton({ context }: { context: TargetingContext }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" onPress={() => setOpen(true)}>
        Switch off now…
      </Button>
      {open && <BreakGlassDialog context={context} onClose={() => setOpen(false)} />}
    </>
  );
}

function BreakGlassDialog({ context, onClose }: { context: TargetingContext; onClose: () => void }) {
  const { project, feature, environment } = context;
  const [reason, setReason] = useState("");
  const change = useChange(() =>
    client.POST("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/break-glass", {
      params: { path: { projectKey: project, featureKey: feature.key, environmentKey: environment.key } },
      body: { reason: reason.trim() },
    }),
  );
  const submit = async () => {
    const outcome = await change.run(undefined);
    if (outcome.kind !== "done") return;
    toast({ tone: "good", text: `${feature.name} in ${environment.name} is off.` });
    onClose();
  };
  return (
    <Dialog title={`Switch off in ${environment.name} without approval?`} onClose={onClose} role="alertdialog">
      <DialogForm
        problem={change.problem}
        pending={change.pending}
        submit="Switch off now"
        submitKind="danger"
        isSubmitDisabled={!reason.trim()}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <p>
          All users get the off variant immediately. The audit log, the annotation and this page say that you did it,
          and why. A pending change can no longer be approved, and scheduled changes are not made.
        </p>
        <TextField label="Reason" name="reason" lines={2} isRequired autoFocus value={reason} onChange={setReason} />
      </DialogForm>
    </Dialog>
  );
}

/** Shown until someone changes the targeting again. */
export function BreakGlassBanner({ last }: { last: AuditEntry | undefined }) {
  if (last?.action !== "targeting.break-glass") return null;
  const { reason } = (last.after ?? {}) as { reason?: string };
  return (
    <Banner tone="bad">
      <bdi>{last.userName}</bdi> switched targeting off without approval (break-glass) on{" "}
      {DATE_TIME.format(new Date(last.at))}.
      {reason && (
        <div className="targeting-comment">
          <bdi>{reason}</bdi>
        </div>
      )}
    </Banner>
  );
}
