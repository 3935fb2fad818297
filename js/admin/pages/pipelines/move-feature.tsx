// Moves a feature to the next phase, which changes no targeting. It asks before a move to production.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { problemText } from "../../api/problem.js";
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
  canMove: boolean;
}

export function MoveFeature({ project, feature, from, to, production, canMove }: MoveFeatureProps) {
  const [confirming, setConfirming] = useState(false);
  const move = useChange(
    () =>
      client.POST("/api/v1/projects/{projectKey}/features/{featureKey}/next-phase", {
        params: { path: { projectKey: project, featureKey: feature.key } },
        body: { fromEnvironmentKey: from.environmentKey },
      }),
    { refresh: [[FEATURES]] },
  );
  const send = async () => {
    const outcome = await move.run(undefined);
    setConfirming(false);
    if (outcome.kind === "done") toast({ tone: "good", text: `${feature.name} was moved to ${to.name}.` });
    else if (outcome.kind !== "approvalRequested") toast({ tone: "bad", text: problemText(outcome.problem) });
  };
  return (
    <>
      <Button
        isDisabled={!canMove}
        isPending={move.pending && !confirming}
        aria-label={`Move to ${to.name}: ${feature.name}`}
        onPress={() => (production ? setConfirming(true) : void send())}
      >
        Move to <bdi>{to.name}</bdi>
      </Button>
      {confirming && (
        <ConfirmDialog
          title="Move to production?"
          onClose={() => setConfirming(false)}
          confirm={`Move to ${to.name}`}
          onConfirm={() => void send()}
          pending={move.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            will move from <bdi>{from.name}</bdi> to <bdi>{to.name}</bdi>. Its targeting does not change: users keep
            getting the same variants.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
