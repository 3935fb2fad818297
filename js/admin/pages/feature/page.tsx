// One feature: what each environment serves, and in one of them its switch, its targeting, its code and its history.
import { useState } from "react";
import { Redirect, useParams } from "wouter";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Copyable } from "../../parts/button/copyable.js";
import { LifecycleChip } from "../../parts/display/chip.js";
import { NoEnvironments } from "../../parts/feedback/no-environments.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { EditFeature } from "./details/edit-feature.js";
import { LifecycleActions } from "./details/lifecycle-actions.js";
import { Environment } from "./environment/environment.js";
import { EnvironmentTabs } from "./environment-tabs.js";
import { environmentToOpen } from "./last-environment.js";
import { PageSkeleton } from "./page-skeleton.js";
import { type FeatureData, useFeaturePage } from "./use-feature-page.js";

export function Component() {
  const { project = "", feature = "", environment } = useParams();
  return <FeaturePage key={`${project}/${feature}`} project={project} featureKey={feature} open={environment} />;
}

interface FeaturePageProps {
  project: string;
  featureKey: string;
  /** The key of the environment in the address. */
  open: string | undefined;
}

function FeaturePage({ project, featureKey, open }: FeaturePageProps) {
  const { data, failed, retry } = useFeaturePage(project, featureKey);
  const feature = data?.feature;
  return (
    <Page
      title={feature?.name ?? featureKey}
      badges={
        !failed && (
          <>
            {/* It takes up its space, but is shown after the name, which is wider or narrower than the key. */}
            <span className={feature ? undefined : "feature-unknown"}>
              <Copyable text={featureKey} label="the key" />
            </span>
            {feature && <LifecycleChip lifecycle={feature.lifecycle} />}
          </>
        )
      }
      description={feature?.description && <bdi>{feature.description}</bdi>}
      actions={data && <Actions data={data} />}
    >
      {failed ? (
        <ErrorState error={failed.error} onRetry={retry} />
      ) : data ? (
        <Environments data={data} open={open} onRetry={retry} />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function Actions({ data }: { data: FeatureData }) {
  const { user } = useSession();
  const [editing, setEditing] = useState(false);
  if (!hasRole(user.role, "editor")) return null;
  return (
    <>
      <LifecycleActions {...data} />
      <Button icon="edit" onPress={() => setEditing(true)}>
        Edit
      </Button>
      {editing && <EditFeature {...data} onClose={() => setEditing(false)} />}
    </>
  );
}

interface EnvironmentsProps {
  data: FeatureData;
  open: string | undefined;
  onRetry: () => void;
}

function Environments({ data, open, onRetry }: EnvironmentsProps) {
  const { project, feature, environments, places } = data;
  const address = `/projects/${project}/features/${feature.key}/environments`;
  if (open === undefined) {
    const first = environmentToOpen(project, environments);
    if (first) return <Redirect to={`${address}/${first.key}`} replace />;
    return (
      <NoEnvironments project={project}>
        A feature is served in environments, such as staging and production.
      </NoEnvironments>
    );
  }
  const place = places.find(({ environment }) => environment.key === open);
  return (
    <>
      <EnvironmentTabs address={address} current={open} places={places} />
      {place ? (
        // Another environment has another draft.
        <Environment key={open} data={data} place={place} onRetry={onRetry} />
      ) : (
        <EmptyState icon="environments" title="Not found">
          This project has no environment with the key {open}.
        </EmptyState>
      )}
    </>
  );
}
