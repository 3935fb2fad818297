// A feature leaves its pipeline. Where phases ask for approvals, that is an administrator's.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Menu } from "../../parts/button/menu.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { hasRole } from "../../roles.js";
import { FEATURE, FEATURES, type Feature, type Pipeline } from "./pipelines.js";

export function TakeOut({ project, pipeline, feature }: { project: string; pipeline: Pipeline; feature: Feature }) {
  const { user } = useSession();
  const [asking, setAsking] = useState(false);
  const guarded = pipeline.phases.some(({ approvalRequired }) => approvalRequired);
  const may = !guarded || hasRole(user.role, "administrator");
  const takeOut = useChange(
    () =>
      client.PATCH(FEATURE, {
        params: { path: { projectKey: project, featureKey: feature.key } },
        body: { pipelineKey: null },
      }),
    { refresh: [[FEATURES]] },
  );
  const confirm = async () => {
    const outcome = await takeOut.run(undefined);
    setAsking(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${feature.name} left ${pipeline.name}.` });
    else if (outcome.kind !== "approvalRequested") toast({ tone: "bad", text: outcome.problem.detail });
  };
  return (
    <>
      <Menu
        label={`Actions for ${feature.name}`}
        actions={[
          {
            key: "out",
            label: may ? "Take out of the pipeline…" : "Take out: an administrator does that",
            icon: "leave",
            isDisabled: !may,
            run: () => setAsking(true),
          },
        ]}
      />
      {asking && (
        <ConfirmDialog
          title="Take the feature out?"
          onClose={() => setAsking(false)}
          confirm="Take out"
          kind={guarded ? "danger" : "primary"}
          onConfirm={() => void confirm()}
          pending={takeOut.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            leaves <bdi>{pipeline.name}</bdi>. No targeting changes by that.
          </p>
          {guarded && <p>Changes of its targeting no longer wait for the approvals that phases ask for.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
