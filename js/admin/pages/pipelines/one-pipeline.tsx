// One pipeline: a column for each phase with the features in it, and how they go on.
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { AddFeature } from "./add-feature.js";
import { DeletePipeline } from "./delete-pipeline.js";
import { PhaseColumn } from "./phase-column.js";
import { PipelineDialog } from "./pipeline-dialog.js";
import { byPhase, useEnvironments, useFeatures, usePipeline } from "./pipelines.js";

type Open = "edit" | "delete" | "add";

export function OnePipeline({ project, pipelineKey }: { project: string; pipelineKey: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const pipeline = usePipeline(project, pipelineKey);
  const features = useFeatures(project);
  const environments = useEnvironments(project);
  const [open, setOpen] = useState<Open>();
  const phases = useMemo(() => features.data && byPhase(features.data, pipelineKey), [features.data, pipelineKey]);
  const list = `/projects/${project}/pipelines`;
  const all = <LinkButton href={list}>All pipelines</LinkButton>;
  const failed = [pipeline, features, environments].find(({ isError }) => isError);
  if (failed) {
    return (
      <Page title="Pipeline" actions={all}>
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      </Page>
    );
  }
  const stored = pipeline.data;
  const ready = stored && phases && environments.data;
  const mayManage = hasRole(user.role, "administrator");
  const used = phases !== undefined && phases.size > 0;
  const close = () => setOpen(undefined);
  return (
    <Page
      title={stored?.value.name ?? pipelineKey}
      badges={stored && <code className="pipelines-key">{pipelineKey}</code>}
      actions={
        <>
          {all}
          {mayManage && (
            <>
              <Button icon="edit" isDisabled={!ready} onPress={() => setOpen("edit")}>
                Change…
              </Button>
              <Button
                icon="trash"
                isDisabled={!ready || used}
                aria-describedby={used ? "pipelines-kept" : undefined}
                onPress={() => setOpen("delete")}
              >
                Delete…
              </Button>
            </>
          )}
          {hasRole(user.role, "editor") && (
            <Button kind="primary" icon="plus" isDisabled={!ready} onPress={() => setOpen("add")}>
              Add a feature
            </Button>
          )}
        </>
      }
    >
      {!ready ? (
        <div className="pipelines-board" aria-busy="true">
          {STAND_INS.map((name) => (
            <div key={name} className="pipelines-phase" aria-hidden="true">
              <Skeleton width="7rem" />
              <Skeleton width="100%" height="6rem" />
            </div>
          ))}
        </div>
      ) : stored.value.phases.length === 0 ? (
        <EmptyState icon="pipelines" title="No phase yet">
          {mayManage ? "Change the pipeline and add its phases." : "An administrator adds its phases."}
        </EmptyState>
      ) : (
        <ol className="pipelines-board" aria-label="Phases">
          {stored.value.phases.map((phase, index) => (
            <PhaseColumn
              key={phase.environmentKey}
              project={project}
              pipeline={stored.value}
              index={index}
              features={phases.get(phase.environmentKey) ?? []}
              environments={environments.data}
            />
          ))}
        </ol>
      )}
      {mayManage && used && (
        <p id="pipelines-kept" className="pipelines-note">
          It cannot be deleted while features are in it.
        </p>
      )}
      {open === "edit" && ready && (
        <PipelineDialog project={project} environments={environments.data} stored={stored} onClose={close} />
      )}
      {open === "add" && ready && (
        <AddFeature project={project} pipeline={stored.value} features={features.data ?? []} onClose={close} />
      )}
      {open === "delete" && ready && (
        <DeletePipeline project={project} stored={stored} onClose={close} onDeleted={() => void navigate(list)} />
      )}
    </Page>
  );
}

const STAND_INS = ["first", "second", "third"];
