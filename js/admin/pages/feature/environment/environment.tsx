// A feature in one environment: its switch, its targeting with a test panel, how it is used, the code that uses it, its details and its
// history.
import { useEffect } from "react";
import { useSession } from "../../../api/session.js";
import { ConnectCode } from "../../../parts/connect/connect-code.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { ErrorState } from "../../../parts/feedback/state.js";
import { Section } from "../../../parts/layout/page.js";
import { canChangeTargeting, hasRole, roleName } from "../../../roles.js";
import { History } from "../changes/history.js";
import { Details } from "../details/details.js";
import type { SavedTargeting } from "../draft/draft.js";
import { Editor } from "../editor/editor.js";
import { Insights } from "../insights/insights.js";
import type { InsightsQuery } from "../insights/use-insights.js";
import { rememberEnvironment } from "../last-environment.js";
import type { TargetingContext } from "../targeting-context.js";
import type { FeatureData, InEnvironment } from "../use-feature-page.js";
import { ReadOnly } from "../view/read-only.js";
import { BreakGlassBanner, BreakGlassButton } from "./break-glass.js";
import { EnvironmentHead } from "./environment-head.js";
import { EnvironmentSkeleton } from "./environment-skeleton.js";
import { ExperimentBanner } from "./experiment-banner.js";
import { NotServedBanner } from "./not-served-banner.js";
import { PendingBanner } from "./pending-banner.js";
import { ScheduledBanner } from "./scheduled-banner.js";
import { useEnvironment } from "./use-environment.js";

interface EnvironmentProps {
  data: FeatureData;
  place: InEnvironment;
  onRetry: () => void;
}

export function Environment({ data, place, onRetry }: EnvironmentProps) {
  const { project } = data;
  const { environment, saved, error } = place;
  useEffect(() => rememberEnvironment(project, environment.key), [project, environment.key]);
  const { context, lastChange, experiment, insights, loaded, failed, retry } = useEnvironment(data, environment);
  if (!saved) return error ? <ErrorState error={error} onRetry={onRetry} /> : <EnvironmentSkeleton />;
  return (
    <>
      <EnvironmentHead data={data} place={place} />
      {failed ? (
        <ErrorState error={failed.error} onRetry={retry} />
      ) : loaded && context ? (
        <>
          {!saved.enabled && <BreakGlassBanner last={lastChange} />}
          {experiment && <ExperimentBanner {...{ project, experiment }} environment={environment.key} />}
          <Notices context={context} place={place} saved={saved} />
          <Targeting {...{ data, context, place, saved, insights }} />
        </>
      ) : (
        <EnvironmentSkeleton />
      )}
    </>
  );
}

interface PlaceProps {
  context: TargetingContext;
  place: InEnvironment;
  saved: SavedTargeting;
}

function Notices({ context, place: { gates, pendingChange, scheduledChanges }, saved }: PlaceProps) {
  const { user } = useSession();
  const needsApproval = gates.length > 0 || pendingChange !== undefined;
  const canAccept = canChangeTargeting(user.role, context.environment) && pendingChange === undefined;
  return (
    <>
      {isNotServedYet(context, saved) && <NotServedBanner {...{ context, saved, gates, canAccept }} />}
      {saved.enabled && needsApproval && hasRole(user.role, "productionEditor") && (
        <Banner tone="note" actions={<BreakGlassButton context={context} />}>
          Changes here wait for an approval. In an emergency you can switch targeting off without one.
        </Banner>
      )}
      {pendingChange && <PendingBanner project={context.project} change={pendingChange} />}
      {scheduledChanges.length > 0 && <ScheduledBanner project={context.project} changes={scheduledChanges} />}
    </>
  );
}

/** An archived feature is served nowhere, and has a banner of its own. */
function isNotServedYet({ feature }: TargetingContext, saved: SavedTargeting): boolean {
  return feature.lifecycle !== "Archived" && saved.version === 0 && saved.offVariantKey !== "off";
}

interface TargetingProps extends PlaceProps {
  data: FeatureData;
  insights: InsightsQuery;
}

function Targeting({ data, context, place, saved, insights }: TargetingProps) {
  const { user } = useSession();
  const readOnlyReason = whyReadOnly(user.role, context);
  const more = (
    <>
      <Insights data={data} environment={context.environment} insights={insights} />
      <Section title="Connect your code">
        <ConnectCode {...context} />
      </Section>
      <Details data={data} />
    </>
  );
  if (!readOnlyReason) {
    return (
      <Editor context={context} saved={saved} gates={place.gates} pendingChange={place.pendingChange}>
        {more}
      </Editor>
    );
  }
  return (
    <>
      <Banner tone="note">{readOnlyReason}</Banner>
      <ReadOnly context={context} saved={saved} />
      {more}
      <History context={context} />
    </>
  );
}

/** Undefined if the targeting can be changed. */
function whyReadOnly(role: Parameters<typeof roleName>[0], { feature, environment }: TargetingContext) {
  if (feature.lifecycle === "Archived") {
    return "This feature is archived and not sent to clients. Restore it to change it.";
  }
  if (canChangeTargeting(role, environment)) return undefined;
  const allowed = `Your role (${roleName(role)}) can only view and test it.`;
  return environment.production
    ? `Changing ${environment.name} requires the production editor role. ${allowed}`
    : `Changing targeting requires the editor role. ${allowed}`;
}
