// A feature in an environment: its targeting, edited, previewed, and compared before it is saved.
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "react-aria-components";
import { useParams } from "react-router";
import { resource, wholeList } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { ApprovalChip, Chip, LifecycleChip, ProductionChip } from "../../parts/display/chip.js";
import { Banner } from "../../parts/feedback/banner.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { canChangeTargeting, roleName } from "../../roles.js";
import { Editor } from "./editor.js";
import { gatesOf } from "./gates.js";
import { History } from "./history.js";
import { PendingBanner } from "./pending-change.js";
import { ReadOnly } from "./read-only.js";
import type { Environment, Feature, Targeted } from "./targeted.js";

export function Component() {
  const { project = "", feature = "", environment = "" } = useParams();
  // Another environment is another draft.
  return <InEnvironment key={`${project}/${feature}/${environment}`} place={{ project, feature, environment }} />;
}

interface Place {
  project: string;
  feature: string;
  environment: string;
}

function useTargeted({ project, feature, environment }: Place) {
  const inProject = { path: { projectKey: project } };
  const inFeature = { path: { projectKey: project, featureKey: feature } };
  const here = { path: { projectKey: project, featureKey: feature, environmentKey: environment } };
  const pipelineKey = useQuery(resource("/api/v1/projects/{projectKey}/features/{featureKey}", inFeature)).data?.value
    .pipelineKey;
  return {
    feature: useQuery(resource("/api/v1/projects/{projectKey}/features/{featureKey}", inFeature)),
    saved: useQuery(
      resource("/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}", here),
    ),
    environments: useQuery(wholeList("/api/v1/projects/{projectKey}/environments", inProject)),
    audiences: useQuery(wholeList("/api/v1/projects/{projectKey}/audiences", inProject)),
    pending: useQuery(
      wholeList("/api/v1/projects/{projectKey}/approvals", {
        ...inProject,
        query: { state: "pending", featureKey: feature, environmentKey: environment },
      }),
    ),
    pipeline: useQuery({
      ...resource("/api/v1/projects/{projectKey}/pipelines/{pipelineKey}", {
        path: { projectKey: project, pipelineKey: pipelineKey ?? "" },
      }),
      enabled: Boolean(pipelineKey),
    }),
  };
}

function InEnvironment({ place }: { place: Place }) {
  const queries = useTargeted(place);
  const { user } = useSession();
  const feature = queries.feature.data?.value;
  const environments = queries.environments.data;
  const environment = environments?.find(({ key }) => key === place.environment);
  const audiences = queries.audiences.data;
  const targeted = useMemo<Targeted | undefined>(() => {
    if (!feature || !environment || !audiences) return undefined;
    const usable = audiences.filter(({ environmentKey }) => !environmentKey || environmentKey === environment.key);
    const audienceNames = new Map(audiences.map(({ key, name }) => [key, name]));
    return { project: place.project, feature, environment, audiences: usable, audienceNames };
  }, [place.project, feature, environment, audiences]);

  const failed = [queries.saved, queries.feature, queries.environments, queries.audiences].find(
    (query) => query.isError,
  );
  const saved = queries.saved.data?.value;
  const pending = queries.pending.data?.[0];
  const gates = gatesOf(feature, environment, queries.pipeline.data?.value);
  const reason = environment && feature && lockedFor(user.role, environment, feature);
  // All of it comes at once, so that nothing moves when the last part arrives; then it stays, whatever is read again.
  const [there, setThere] = useState(false);
  if (!there && Object.values(queries).every((query) => !query.isLoading)) setThere(true);
  return (
    <Page
      title={(there && feature?.name) || place.feature}
      badges={
        there && (
          <>
            <Link href={`/projects/${place.project}/features/${place.feature}`}>
              <code>{place.feature}</code>
            </Link>
            {feature && environment && <Chips feature={feature} environment={environment} gates={gates} />}
          </>
        )
      }
    >
      <EnvironmentLinks key={there ? "there" : "waiting"} place={place} environments={environments} />
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all(Object.values(queries).map((query) => query.isError && query.refetch()))}
        />
      ) : !there || !targeted || !saved ? (
        <Waiting />
      ) : (
        <>
          {pending && <PendingBanner project={place.project} change={pending} />}
          {reason && <Banner tone="note">{reason}</Banner>}
          {reason ? (
            <ReadOnly targeted={targeted} saved={saved} />
          ) : (
            <Editor targeted={targeted} saved={saved} gates={gates} pendingChange={pending} />
          )}
          <History targeted={targeted} />
        </>
      )}
    </Page>
  );
}

/** Why nothing can be changed here; undefined when it can. */
function lockedFor(
  role: Parameters<typeof roleName>[0],
  environment: Environment,
  feature: Feature,
): string | undefined {
  if (feature.lifecycle === "Archived")
    return "This feature is archived: it is sent to nobody. Restore it to go on with it.";
  if (canChangeTargeting(role, environment)) return undefined;
  return environment.production
    ? `Changing ${environment.name} takes a production editor. You are signed in as ${roleName(role)}: you can look, and preview.`
    : `You are signed in as ${roleName(role)}: you can look, and preview.`;
}

function Chips({
  feature,
  environment,
  gates,
}: {
  feature: Feature;
  environment: Environment;
  gates: readonly string[];
}) {
  return (
    <>
      {feature.lifecycle !== "Active" && <LifecycleChip lifecycle={feature.lifecycle} />}
      {environment.production ? (
        <ProductionChip />
      ) : (
        <Chip>
          <bdi>{environment.name}</bdi>
        </Chip>
      )}
      {gates.length > 0 && <ApprovalChip />}
    </>
  );
}

function EnvironmentLinks({ place, environments }: { place: Place; environments: readonly Environment[] | undefined }) {
  return (
    <nav className="targeting-environments" aria-label="Environments of this feature">
      {environments?.map(({ key, name }) => (
        <Link
          key={key}
          href={`/projects/${place.project}/features/${place.feature}/environments/${key}`}
          aria-current={key === place.environment ? "page" : undefined}
        >
          <bdi>{name}</bdi>
        </Link>
      )) ?? <Skeleton width="12rem" />}
    </nav>
  );
}

function Waiting() {
  return (
    <div className="targeting-columns" aria-busy="true">
      <div className="targeting-main">
        <Section title="State">
          <div className="targeting-waiting-state">
            <Skeleton width="9rem" height="1.25rem" />
          </div>
        </Section>
        <Section title="Rules">
          <div className="targeting-waiting-rules">
            <Skeleton width="60%" />
            <Skeleton width="100%" height="10rem" />
          </div>
        </Section>
      </div>
      <aside className="targeting-aside">
        <Section title="Who would get what">
          <div className="targeting-waiting-preview">
            <Skeleton width="100%" height="2rem" />
          </div>
        </Section>
      </aside>
    </div>
  );
}
