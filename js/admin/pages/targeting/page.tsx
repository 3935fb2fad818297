// A feature in one environment: its targeting, edited, previewed and reviewed before it is saved.
import { useState } from "react";
import { Link } from "react-aria-components";
import { useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { ApprovalChip, Chip, LifecycleChip, ProductionChip } from "../../parts/display/chip.js";
import { Banner } from "../../parts/feedback/banner.js";
import { ErrorState } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { canChangeTargeting, hasRole, roleName } from "../../roles.js";
import { BreakGlassBanner, BreakGlassButton } from "./break-glass.js";
import { History } from "./changes/history.js";
import type { AuditEntry } from "./changes/use-history.js";
import type { SavedTargeting } from "./draft/draft.js";
import { Editor } from "./editor/editor.js";
import { EnvironmentTabs } from "./environment-tabs.js";
import { PageSkeleton } from "./page-skeleton.js";
import { PendingBanner, type PendingChange } from "./pending-banner.js";
import type { TargetingContext } from "./targeting-context.js";
import { type PageKeys, useTargetingPage } from "./use-targeting-page.js";
import { ReadOnly } from "./view/read-only.js";

export function Component() {
  const { project = "", feature = "", environment = "" } = useParams();
  // Another environment has another draft.
  return <TargetingPage key={`${project}/${feature}/${environment}`} keys={{ project, feature, environment }} />;
}

function TargetingPage({ keys }: { keys: PageKeys }) {
  const page = useTargetingPage(keys);
  const { feature, context, saved, environments, pendingChange, gates, loaded, failed, retry } = page;
  // Everything appears at once, so that nothing moves later, and stays while it is refreshed.
  const [ready, setReady] = useState(false);
  if (!ready && loaded) setReady(true);
  const featureAddress = `/projects/${keys.project}/features/${keys.feature}`;
  return (
    <Page
      title={(ready && feature?.name) || keys.feature}
      badges={
        ready && (
          <>
            <Link href={featureAddress}>
              <code>{keys.feature}</code>
            </Link>
            {context && <Badges context={context} gates={gates} />}
          </>
        )
      }
    >
      <EnvironmentTabs
        key={ready ? "ready" : "loading"}
        featureAddress={featureAddress}
        current={keys.environment}
        environments={environments}
      />
      {failed ? (
        <ErrorState error={failed.error} onRetry={retry} />
      ) : ready && context && saved ? (
        <Targeting {...{ context, saved, gates, pendingChange }} lastChange={page.lastChange} />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

interface TargetingProps {
  context: TargetingContext;
  saved: SavedTargeting;
  gates: readonly string[];
  pendingChange: PendingChange | undefined;
  lastChange: AuditEntry | undefined;
}

function Targeting({ context, saved, gates, pendingChange, lastChange }: TargetingProps) {
  const { user } = useSession();
  const readOnlyReason = whyReadOnly(user.role, context);
  const needsApproval = gates.length > 0 || pendingChange !== undefined;
  return (
    <>
      {!saved.enabled && <BreakGlassBanner last={lastChange} />}
      {saved.enabled && needsApproval && hasRole(user.role, "productionEditor") && (
        <Banner tone="note" actions={<BreakGlassButton context={context} />}>
          Changes here wait for an approval. In an emergency you can switch targeting off without one.
        </Banner>
      )}
      {pendingChange && <PendingBanner project={context.project} change={pendingChange} />}
      {readOnlyReason ? (
        <>
          <Banner tone="note">{readOnlyReason}</Banner>
          <ReadOnly context={context} saved={saved} />
        </>
      ) : (
        <Editor context={context} saved={saved} gates={gates} pendingChange={pendingChange} />
      )}
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

function Badges({ context: { feature, environment }, gates }: { context: TargetingContext; gates: readonly string[] }) {
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
