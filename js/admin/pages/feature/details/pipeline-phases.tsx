// The phases of the feature's release pipeline, with the current one and a button to move to the next.
import { useState } from "react";
import { Link } from "wouter";
import { useChange } from "../../../api/changes.js";
import { client } from "../../../api/client.js";
import { useSession } from "../../../api/session.js";
import { Button } from "../../../parts/button/button.js";
import { ConfirmDialog } from "../../../parts/dialog/confirm-dialog.js";
import { ApprovalChip, Chip } from "../../../parts/display/chip.js";
import { Icon } from "../../../parts/display/icon.js";
import { toast } from "../../../parts/feedback/toast.js";
import { hasRole } from "../../../roles.js";
import type { Environment, Feature, Pipeline } from "../feature.js";

interface PipelinePhasesProps {
  project: string;
  feature: Feature;
  pipeline: Pipeline | undefined;
  environments: readonly Environment[];
}

export function PipelinePhases({ project, feature, pipeline, environments }: PipelinePhasesProps) {
  const { user } = useSession();
  if (!pipeline) {
    return <p className="explanation">Not in a pipeline. Edit the feature to add it to one.</p>;
  }
  const current = pipeline.phases.findIndex(({ environmentKey }) => environmentKey === feature.phase?.environmentKey);
  const next = pipeline.phases[current + 1];
  return (
    <>
      <p className="explanation">
        <Link href={`/projects/${project}/pipelines/${pipeline.key}`}>
          <bdi>{pipeline.name}</bdi>
        </Link>
      </p>
      <ol className="feature-phases" aria-label="Phases">
        {pipeline.phases.map(({ name, environmentKey, approvalRequired }, index) => (
          <li key={environmentKey} aria-current={index === current ? "step" : undefined}>
            <span className="feature-phase-mark">
              {index < current ? <Icon name="check" size={12} /> : <span aria-hidden="true">{index + 1}</span>}
            </span>
            <span>
              <strong>
                <bdi>{name}</bdi>
              </strong>{" "}
              in <bdi>{environments.find(({ key }) => key === environmentKey)?.name ?? environmentKey}</bdi>
            </span>
            {index === current && <Chip tone="accent">Current</Chip>}
            {approvalRequired && <ApprovalChip />}
          </li>
        ))}
      </ol>
      {next && feature.lifecycle !== "Archived" && hasRole(user.role, "editor") && (
        <MoveToNextPhase project={project} feature={feature} next={next} />
      )}
    </>
  );
}

interface MoveToNextPhaseProps {
  project: string;
  feature: Feature;
  next: Pipeline["phases"][number];
}

function MoveToNextPhase({ project, feature, next }: MoveToNextPhaseProps) {
  // The move that the question is about: someone else may make it meanwhile, and then the next one is another.
  const [asked, setAsked] = useState<{ from: Feature["phase"]; to: typeof next }>();
  const { run, pending, problem, reset } = useChange((fromEnvironmentKey: string | undefined) =>
    client.POST("/api/v1/projects/{projectKey}/features/{featureKey}/next-phase", {
      params: { path: { projectKey: project, featureKey: feature.key } },
      body: { fromEnvironmentKey },
    }),
  );
  const move = async (from: Feature["phase"]) => {
    const outcome = await run(from?.environmentKey);
    if (outcome.kind !== "done") return;
    setAsked(undefined);
    toast({ tone: "good", text: `${feature.name} was moved to ${outcome.value.phase?.name ?? ""}.` });
  };
  const close = () => {
    reset();
    setAsked(undefined);
  };
  return (
    <>
      <div className="feature-next-phase">
        <Button onPress={() => setAsked({ from: feature.phase, to: next })}>Move to {next.name}…</Button>
      </div>
      {asked && (
        <ConfirmDialog
          title={`Move to ${asked.to.name}?`}
          confirm={`Move to ${asked.to.name}`}
          onConfirm={() => void move(asked.from)}
          onClose={close}
          pending={pending}
          problem={problem}
        >
          <p>
            <strong>
              <bdi>{feature.name}</bdi>
            </strong>{" "}
            leaves {asked.from?.name ? <bdi>{asked.from.name}</bdi> : "its phase"}. Its targeting does not change in any
            environment.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
