// The integrations page: all connections, or one with its delivery log.
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { AdministratorsOnly } from "./administrators-only.js";
import { ConnectionCard, ConnectionSkeleton } from "./connection-card.js";
import { ConnectionDialog } from "./connection-dialog.js";
import { DeliveryLog } from "./delivery-log.js";
import { type Integration, useAllEnvironments, useIntegrations } from "./integrations.js";

const DESCRIPTION = "Each feature change becomes an annotation on the charts of your analytics project.";

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
  if (integrations.isError) {
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
  const [creating, setCreating] = useState(false);
  const environments = useAllEnvironments();
  const connect = (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      Connect analytics
    </Button>
  );
  return (
    <Page title="Integrations" description={DESCRIPTION} actions={integrations?.length !== 0 && connect}>
      {integrations?.length === 0 ? (
        <EmptyState icon="integrations" title="No analytics project connected" action={connect}>
          Connect one to see on its charts who changed which feature, where and when.
        </EmptyState>
      ) : (
        <div className="integrations-list" aria-busy={integrations === undefined}>
          {integrations?.map((integration) => (
            <ConnectionCard key={integration.id} integration={integration} environments={environments} />
          )) ?? <ConnectionSkeleton />}
        </div>
      )}
      {creating && <ConnectionDialog environments={environments} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ConnectionPage({ id, integrations }: { id: string; integrations: readonly Integration[] | undefined }) {
  const navigate = useNavigate();
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
    <Page title="Analytics connection" actions={<LinkButton href="/integrations">All integrations</LinkButton>}>
      <div className="integrations-list integrations-alone" aria-busy={integration === undefined}>
        {integration ? (
          <ConnectionCard
            integration={integration}
            environments={environments}
            withoutLink
            onDeleted={() => void navigate("/integrations")}
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
