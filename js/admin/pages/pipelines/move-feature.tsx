// A feature goes on to the next phase. That changes no targeting; into production it asks first all the same.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { FEATURES, type Feature, type Phase } from "./pipelines.js";

interface MoveFeatureProps {
  project: string;
  feature: Feature;
  from: Phase;
  to: Phase;
  production: boolean;
  mayMove: boolean;
}

export function MoveFeature({ project, feature, from, to, production, mayMove }: MoveFeatureProps) {
  const [asking, setAsking] = useState(false);
  const move = useChange(
    () =>
      client.POST("/api/v1/projects/{projectKey}/features/{featureKey}/next-phase", {
        params: { path: { projectKey: project, featureKey: feature.key } },
        body: { fromEnvironmentKey: from.environmentKey },
      }),
    { refresh: [[FEATURES]] },
  );
  const confirm = async () => {
    const outcome = await move.run(undefined);
    setAsking(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${feature.name} is in ${to.name} now.` });
    else if (outcome.kind !== "approvalRequested") toast({ tone: "bad", text: outcome.problem.detail });
  };
  return (
    <>
      <Button
        isDisabled={!mayMove}
        isPending={move.pending && !asking}
        aria-label={`Move to ${to.name}: ${feature.name}`}
        onPress={() => (production ? setAsking(true) : void confirm())}
      >
        Move to <bdi>{to.name}</bdi>
      </Button>
      {asking && (
        <ConfirmDialog
          title="Move on to production?"
          onClose={() => setAsking(false)}
          confirm={`Move to ${to.name}`}
          onConfirm={() => void confirm()}
          pending={move.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            goes from <bdi>{from.name}</bdi> to <bdi>{to.name}</bdi>. No targeting changes by that: users get what they
            got before.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
