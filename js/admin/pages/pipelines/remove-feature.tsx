// Removes a feature from its pipeline. Only administrators can do that where phases require approval.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { problemText } from "../../api/problem.js";
import { useSession } from "../../api/session.js";
import { Menu } from "../../parts/button/menu.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { hasRole } from "../../roles.js";
import { FEATURE, FEATURES, type Feature, type Pipeline } from "./pipelines.js";

interface RemoveFeatureProps {
  project: string;
  pipeline: Pipeline;
  feature: Feature;
}

export function RemoveFeature({ project, pipeline, feature }: RemoveFeatureProps) {
  const { user } = useSession();
  const [confirming, setConfirming] = useState(false);
  const guarded = pipeline.phases.some(({ approvalRequired }) => approvalRequired);
  const canRemove = !guarded || hasRole(user.role, "administrator");
  const remove = useChange(
    () =>
      client.PATCH(FEATURE, {
        params: { path: { projectKey: project, featureKey: feature.key } },
        body: { pipelineKey: null },
      }),
    { refresh: [[FEATURES]] },
  );
  const send = async () => {
    const outcome = await remove.run(undefined);
    setConfirming(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${feature.name} was removed from ${pipeline.name}.` });
    else if (outcome.kind !== "approvalRequested") toast({ tone: "bad", text: problemText(outcome.problem) });
  };
  return (
    <>
      <Menu
        label={`Actions for ${feature.name}`}
        actions={[
          {
            key: "remove",
            label: canRemove ? "Remove from pipeline…" : "Remove from pipeline (administrators only)",
            icon: "leave",
            isDisabled: !canRemove,
            run: () => setConfirming(true),
          },
        ]}
      />
      {confirming && (
        <ConfirmDialog
          title="Remove from pipeline?"
          onClose={() => setConfirming(false)}
          confirm="Remove"
          kind={guarded ? "danger" : "primary"}
          onConfirm={() => void send()}
          pending={remove.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            will be removed from <bdi>{pipeline.name}</bdi>. Its targeting does not change.
          </p>
          {guarded && <p>The approvals that phases require will no longer apply to it.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
