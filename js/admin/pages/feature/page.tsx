// One feature: its details, its release pipeline, and its state in each environment.
import { useState } from "react";
import { useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { LifecycleChip } from "../../parts/display/chip.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { About } from "./about.js";
import { EditFeature } from "./edit-feature.js";
import { EnvironmentStates } from "./environment-states.js";
import { useEnvironments, useFeature, usePipelines } from "./feature.js";
import { LifecycleActions } from "./lifecycle-actions.js";
import { PipelinePhases } from "./pipeline-phases.js";

/** Everything at once, so that nothing moves when the last part is loaded. */
function useFeaturePage(project: string, key: string) {
  const feature = useFeature(project, key);
  const environments = useEnvironments(project);
  const pipelines = usePipelines(project);
  const queries = [feature, environments, pipelines];
  return {
    data: feature.data &&
      pipelines.data &&
      environments.data && {
        feature: feature.data.value,
        version: feature.data.version,
        pipelines: pipelines.data,
        environments: environments.data,
      },
    failed: queries.find((query) => query.isError),
    retry: () => void Promise.all(queries.map((query) => query.refetch())),
  };
}

type FeatureData = NonNullable<ReturnType<typeof useFeaturePage>["data"]>;

export function Component() {
  const { project = "", feature: key = "" } = useParams();
  const { user } = useSession();
  const [editing, setEditing] = useState(false);
  const { data, failed, retry } = useFeaturePage(project, key);
  return (
    <Page
      title={data?.feature.name ?? key}
      badges={data && <LifecycleChip lifecycle={data.feature.lifecycle} />}
      actions={
        data &&
        hasRole(user.role, "editor") && (
          <>
            <LifecycleActions project={project} feature={data.feature} version={data.version} />
            <Button icon="edit" onPress={() => setEditing(true)}>
              Edit
            </Button>
          </>
        )
      }
    >
      {failed ? (
        <ErrorState error={failed.error} onRetry={retry} />
      ) : data ? (
        <Content project={project} data={data} />
      ) : (
        <Section title="About">
          <AboutSkeleton />
        </Section>
      )}
      {editing && data && <EditFeature project={project} {...data} onClose={() => setEditing(false)} />}
    </Page>
  );
}

function Content({ project, data: { feature, pipelines, environments } }: { project: string; data: FeatureData }) {
  const pipeline = pipelines.find(({ key }) => key === feature.pipelineKey);
  return (
    <>
      <div className="feature-columns">
        <Section title="About">
          <About feature={feature} />
        </Section>
        <Section title="Pipeline">
          <PipelinePhases project={project} feature={feature} pipeline={pipeline} environments={environments} />
        </Section>
      </div>
      <Section title="Environments">
        <EnvironmentStates project={project} featureKey={feature.key} environments={environments} />
      </Section>
    </>
  );
}

function AboutSkeleton() {
  return (
    <div className="feature-skeleton feature-skeleton-about" aria-busy="true">
      {["8rem", "14rem", "6rem", "5rem", "9rem"].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
