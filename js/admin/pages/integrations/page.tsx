// The integrations page: all connections, or one with its delivery log.
import { useState } from "react";
import { useParams } from "wouter";
import { useAllEnvironments } from "../../api/projects.js";
import { hasFailed } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { AdministratorsOnly } from "./administrators-only.js";
import { ConnectionCard, ConnectionSkeleton } from "./connection-card.js";
import { ConnectionDialog } from "./connection-dialog.js";
import { DeliveryLog } from "./delivery-log.js";
import { type Integration, useIntegrations } from "./integrations.js";
import { KINDS, type Kind } from "./kinds.js";

const DESCRIPTION =
  "Feature changes become annotations on the charts of your analytics project, signed requests to your own services, or messages in Slack.";

export function Component() {
  const { id } = useParams();
  const { user } = useSession();
  const canRead = hasRole(user.role, "administrator");
  const integrations = useIntegrations(canRead);
  if (!canRead) {
    return (
      <Page title="Integrations" description={DESCRIPTION}>
        <AdministratorsOnly />
      </Page>
    );
  }
  if (hasFailed(integrations)) {
    return (
      <Page title="Integrations" description={DESCRIPTION}>
        <ErrorState error={integrations.error} onRetry={() => void integrations.refetch()} />
      </Page>
    );
  }
  return id === undefined ? (
    <ConnectionList integrations={integrations.data} />
  ) : (
    <ConnectionPage id={id} integrations={integrations.data} />
  );
}

function ConnectionList({ integrations }: { integrations: readonly Integration[] | undefined }) {
  const [creating, setCreating] = useState<Kind>();
  const environments = useAllEnvironments();
  const connect = (
    <span className="integrations-actions">
      {(["webhook", "slack", "analytics"] as const).map((kind) => (
        <Button
          key={kind}
          {...(kind === "analytics" && { kind: "primary" })}
          icon="plus"
          onPress={() => setCreating(kind)}
        >
          {KINDS[kind].connect}
        </Button>
      ))}
    </span>
  );
  return (
    <Page title="Integrations" description={DESCRIPTION} actions={integrations?.length !== 0 && connect}>
      {integrations?.length === 0 ? (
        <EmptyState icon="integrations" title="Nothing connected yet" action={connect}>
          Connect an analytics project, a service of your own or a Slack channel to see there who changed which feature,
          where and when. Webhooks and Slack also receive approvals.
        </EmptyState>
      ) : (
        <div className="integrations-list" aria-busy={integrations === undefined}>
          {integrations?.map((integration) => (
            <ConnectionCard key={integration.id} integration={integration} environments={environments} />
          )) ?? <ConnectionSkeleton />}
        </div>
      )}
      {creating && (
        <ConnectionDialog kind={creating} environments={environments} onClose={() => setCreating(undefined)} />
      )}
    </Page>
  );
}

function titleOf(integration: Integration | undefined): string {
  if (!integration) return "Connection";
  return integration.type === "webhook" ? "Webhook" : `${KINDS[integration.type].name} connection`;
}

function ConnectionPage({ id, integrations }: { id: string; integrations: readonly Integration[] | undefined }) {
  const navigate = useNavigateFromHere();
  const environments = useAllEnvironments();
  const integration = integrations?.find((one) => one.id === id);
  if (integrations && !integration) {
    return (
      <Page title="Integrations">
        <EmptyState
          icon="integrations"
          title="Connection not found"
          action={<LinkButton href="/integrations">All integrations</LinkButton>}
        >
          It may have been deleted.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={titleOf(integration)} actions={<LinkButton href="/integrations">All integrations</LinkButton>}>
      <div className="integrations-list integrations-alone" aria-busy={integration === undefined}>
        {integration ? (
          <ConnectionCard
            integration={integration}
            environments={environments}
            withoutLink
            onDeleted={() => navigate("/integrations")}
          />
        ) : (
          <ConnectionSkeleton />
        )}
      </div>
      <Section title="Delivery log">
        <DeliveryLog id={id} />
      </Section>
    </Page>
  );
}
