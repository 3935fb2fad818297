// The release pipeline of a feature: its phases in order, the one it is in, and the step to the next.
import { useState } from "react";
import { Link } from "react-aria-components";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { ApprovalChip, Chip } from "../../parts/display/chip.js";
import { Icon } from "../../parts/display/icon.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { hasRole } from "../../roles.js";
import type { Environment, Feature, Pipeline } from "./feature.js";

interface PipelinePhasesProps {
  project: string;
  feature: Feature;
  pipeline: Pipeline | undefined;
  environments: readonly Environment[];
}

export function PipelinePhases({ project, feature, pipeline, environments }: PipelinePhasesProps) {
  const { user } = useSession();
  const [asking, setAsking] = useState(false);
  const from = feature.phase?.environmentKey;
  const advance = useChange((fromEnvironmentKey: string | undefined) =>
    client.POST("/api/v1/projects/{projectKey}/features/{featureKey}/next-phase", {
      params: { path: { projectKey: project, featureKey: feature.key } },
      body: { fromEnvironmentKey },
    }),
  );
  if (!pipeline) {
    return <p className="feature-lead">It is in no release pipeline. Edit the feature to assign it to one.</p>;
  }
  const place = pipeline.phases.findIndex(({ environmentKey }) => environmentKey === from);
  const next = pipeline.phases[place + 1];
  const go = async () => {
    const outcome = await advance.run(from);
    if (outcome.kind !== "done") return;
    setAsking(false);
    toast({ tone: "good", text: `${feature.name} is in the phase ${outcome.value.phase?.name ?? ""} now.` });
  };
  return (
    <>
      <p className="feature-lead">
        <Link href={`/projects/${project}/pipelines/${pipeline.key}`}>
          <bdi>{pipeline.name}</bdi>
        </Link>
      </p>
      <ol className="feature-phases" aria-label="Phases">
        {pipeline.phases.map(({ name, environmentKey, approvalRequired }, index) => (
          <li key={environmentKey} aria-current={index === place ? "step" : undefined}>
            <span className="feature-phase-mark">
              {index < place ? <Icon name="check" size={12} /> : <span aria-hidden="true">{index + 1}</span>}
            </span>
            <span>
              <strong>
                <bdi>{name}</bdi>
              </strong>{" "}
              in <bdi>{environments.find(({ key }) => key === environmentKey)?.name ?? environmentKey}</bdi>
            </span>
            {index === place && <Chip tone="accent">Here now</Chip>}
            {approvalRequired && <ApprovalChip />}
          </li>
        ))}
      </ol>
      {next && feature.lifecycle !== "Archived" && hasRole(user.role, "editor") && (
        <div>
          <Button onPress={() => setAsking(true)}>Go on to {next.name}…</Button>
        </div>
      )}
      {asking && next && (
        <ConfirmDialog
          title={`Go on to ${next.name}?`}
          onClose={() => {
            advance.reset();
            setAsking(false);
          }}
          confirm={`Go on to ${next.name}`}
          onConfirm={() => void go()}
          pending={advance.pending}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            leaves the phase {feature.phase?.name ? <bdi>{feature.phase.name}</bdi> : "that it is in"}. Its targeting
            stays as it is, in every environment.
          </p>
          {advance.problem && <Banner tone="bad">{advance.problem.detail}</Banner>}
        </ConfirmDialog>
      )}
    </>
  );
}
