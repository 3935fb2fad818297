// One pipeline: a column for each phase, with the features in it.
import { useMemo, useState } from "react";
import { useEnvironments, useFeatures } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { isShort } from "../../parts/layout/guides.js";
import { Page } from "../../parts/layout/page.js";
import { Key } from "../../parts/list/name-cell.js";
import { hasRole } from "../../roles.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { AddFeature } from "./add-feature.js";
import { DeletePipeline } from "./delete-pipeline.js";
import { EditPipeline } from "./edit-pipeline.js";
import { PhaseColumn } from "./phase-column.js";
import { type Environment, type Feature, featuresByPhase, type Pipeline, usePipeline } from "./pipelines.js";

type OpenDialog = "edit" | "delete" | "add";

/** The id of the sentence that says why the Delete button is disabled. */
const WHY_NO_DELETE = "pipelines-no-delete";

export function PipelinePage({ project, pipelineKey }: { project: string; pipelineKey: string }) {
  const navigate = useNavigateFromHere();
  const { user } = useSession();
  const pipeline = usePipeline(project, pipelineKey);
  const features = useFeatures(project);
  const environments = useEnvironments(project);
  const [dialog, setDialog] = useState<OpenDialog>();
  const phases = useMemo(
    () => features.data && featuresByPhase(features.data, pipelineKey),
    [features.data, pipelineKey],
  );
  const listUrl = `/projects/${project}/pipelines`;
  const failed = [pipeline, features, environments].find(hasFailed);
  if (failed) {
    return (
      <Page title="Pipeline">
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      </Page>
    );
  }
  const stored = pipeline.data;
  if (!stored || !phases || !environments.data) {
    return (
      <Page title={pipelineKey}>
        <Loading />
      </Page>
    );
  }
  const used = phases.size > 0;
  const close = () => setDialog(undefined);
  return (
    <Page
      title={stored.value.name}
      badges={<Key>{pipelineKey}</Key>}
      actions={<Actions used={used} onOpen={setDialog} />}
      guides={isShort([...phases.values()].flat()) && ["pipelines", "approve-a-change", "roll-out"]}
    >
      <Phases project={project} pipeline={stored.value} features={phases} environments={environments.data} />
      {used && hasRole(user.role, "administrator") && (
        <p id={WHY_NO_DELETE} className="note">
          A pipeline with features can't be deleted.
        </p>
      )}
      {dialog === "edit" && (
        <EditPipeline project={project} environments={environments.data} stored={stored} onClose={close} />
      )}
      {dialog === "add" && (
        <AddFeature project={project} pipeline={stored.value} features={features.data ?? []} onClose={close} />
      )}
      {dialog === "delete" && (
        <DeletePipeline project={project} stored={stored} onClose={close} onDeleted={() => navigate(listUrl)} />
      )}
    </Page>
  );
}

interface ActionsProps {
  /** Whether features are in the pipeline. */
  used: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

function Actions({ used, onOpen }: ActionsProps) {
  const { user } = useSession();
  return (
    <>
      {hasRole(user.role, "administrator") && (
        <>
          <Button icon="edit" onPress={() => onOpen("edit")}>
            Edit…
          </Button>
          <Button
            icon="trash"
            isDisabled={used}
            aria-describedby={used ? WHY_NO_DELETE : undefined}
            onPress={() => onOpen("delete")}
          >
            Delete…
          </Button>
        </>
      )}
      {hasRole(user.role, "editor") && (
        <Button kind="primary" icon="plus" onPress={() => onOpen("add")}>
          Add feature
        </Button>
      )}
    </>
  );
}

interface PhasesProps {
  project: string;
  pipeline: Pipeline;
  /** By the key of the phase's environment. */
  features: ReadonlyMap<string, readonly Feature[]>;
  environments: readonly Environment[];
}

function Phases({ project, pipeline, features, environments }: PhasesProps) {
  const { user } = useSession();
  if (pipeline.phases.length === 0) {
    return (
      <EmptyState icon="pipelines" title="No phases yet">
        {hasRole(user.role, "administrator") ? "Edit the pipeline to add phases." : "An administrator can add phases."}
      </EmptyState>
    );
  }
  return (
    <ol className="pipelines-board" aria-label="Phases">
      {pipeline.phases.map(({ environmentKey }, index) => (
        <PhaseColumn
          key={environmentKey}
          project={project}
          pipeline={pipeline}
          index={index}
          features={features.get(environmentKey) ?? []}
          environments={environments}
        />
      ))}
    </ol>
  );
}

function Loading() {
  return (
    <div className="pipelines-board" aria-busy="true">
      {["first", "second", "third"].map((key) => (
        <div key={key} className="pipelines-phase" aria-hidden="true">
          <Skeleton width="7rem" />
          <Skeleton width="100%" height="6rem" />
        </div>
      ))}
    </div>
  );
}
