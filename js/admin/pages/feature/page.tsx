// One feature: what it is, where it is in its pipeline, and how it stands in each environment.
import { useState } from "react";
import { useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Copyable } from "../../parts/button/copyable.js";
import { ApprovalChip, Chip, LifecycleChip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { EditFeature } from "./edit-feature.js";
import { EnvironmentStates } from "./environment-states.js";
import { type Feature, useEnvironments, useFeature, usePipelines } from "./feature.js";
import { LifecycleActions } from "./lifecycle-actions.js";
import { PipelinePhases } from "./pipeline-phases.js";

export function Component() {
  const { project = "", feature: key = "" } = useParams();
  const { user } = useSession();
  const [editing, setEditing] = useState(false);
  const read = useFeature(project, key);
  const environments = useEnvironments(project);
  const pipelines = usePipelines(project);
  const feature = read.data?.value;
  // All of it comes at once: what is below others would move when theirs are higher than they seemed.
  const known = feature &&
    pipelines.data &&
    environments.data && {
      feature,
      pipeline: pipelines.data.find(({ key }) => key === feature.pipelineKey),
      environments: environments.data,
    };
  const failed = [read, environments, pipelines].find((query) => query.isError);
  const mayEdit = hasRole(user.role, "editor");
  return (
    <Page
      title={known?.feature.name ?? key}
      badges={known && <LifecycleChip lifecycle={known.feature.lifecycle} />}
      actions={
        known &&
        mayEdit && (
          <>
            <LifecycleActions project={project} feature={known.feature} version={read.data?.version} />
            <Button icon="edit" onPress={() => setEditing(true)}>
              Edit
            </Button>
          </>
        )
      }
    >
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all([read, environments, pipelines].map((query) => query.refetch()))}
        />
      ) : known ? (
        <>
          <div className="feature-columns">
            <Section title="About">
              <About feature={known.feature} />
            </Section>
            <Section title="Pipeline">
              <PipelinePhases project={project} {...known} />
            </Section>
          </div>
          <Section title="Environments">
            <EnvironmentStates project={project} featureKey={key} environments={known.environments} />
          </Section>
        </>
      ) : (
        <Section title="About">
          <AboutWaiting />
        </Section>
      )}
      {editing && feature && read.data && pipelines.data && (
        <EditFeature
          project={project}
          feature={feature}
          version={read.data.version}
          pipelines={pipelines.data}
          onClose={() => setEditing(false)}
        />
      )}
    </Page>
  );
}

function About({ feature }: { feature: Feature }) {
  return (
    <KeyValue
      facts={[
        { term: "Key", value: <Copyable text={feature.key} label="the key" /> },
        { term: "Description", value: feature.description ? <bdi>{feature.description}</bdi> : "None" },
        {
          term: "Tags",
          value:
            feature.tags.length === 0 ? (
              "None"
            ) : (
              <span className="feature-chips">
                {feature.tags.map((tag) => (
                  <Chip key={tag}>
                    <bdi>{tag}</bdi>
                  </Chip>
                ))}
              </span>
            ),
        },
        {
          term: "Variants",
          value: (
            <span className="feature-chips">
              {feature.variants.map((variant) => (
                <code key={variant} className="feature-variant">
                  {variant}
                </code>
              ))}
            </span>
          ),
        },
        { term: "Approval", value: feature.approvalRequired ? <ApprovalChip /> : "Not required by the feature itself" },
      ]}
    />
  );
}

function AboutWaiting() {
  return (
    <div className="feature-waiting feature-waiting-about" aria-busy="true">
      {["8rem", "14rem", "6rem", "5rem", "9rem"].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
