// Where changes are told of outside: the connections of the organisation, and at an address of its own one with its log.
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { Administrators } from "./administrators.js";
import { ConnectionCard, ConnectionStandIn } from "./connection-card.js";
import { ConnectionForm } from "./connection-form.js";
import { DeliveryLog } from "./delivery-log.js";
import { type Integration, useIntegrations, usePlaces } from "./integrations.js";

const LEAD = "Each change of a feature becomes an annotation on the charts of your analytics project.";

export function Component() {
  const { id } = useParams();
  const { user } = useSession();
  const mayRead = hasRole(user.role, "administrator");
  const integrations = useIntegrations(mayRead);
  if (!mayRead) {
    return (
      <Page title="Integrations" description={LEAD}>
        <Administrators />
      </Page>
    );
  }
  if (integrations.isError) {
    return (
      <Page title="Integrations" description={LEAD}>
        <ErrorState error={integrations.error} onRetry={() => void integrations.refetch()} />
      </Page>
    );
  }
  return id === undefined ? (
    <Connections integrations={integrations.data} />
  ) : (
    <OneConnection id={id} integrations={integrations.data} />
  );
}

function Connections({ integrations }: { integrations: readonly Integration[] | undefined }) {
  const [creating, setCreating] = useState(false);
  const places = usePlaces();
  const connect = (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      Connect analytics
    </Button>
  );
  return (
    <Page title="Integrations" description={LEAD} actions={integrations?.length !== 0 && connect}>
      {integrations?.length === 0 ? (
        <EmptyState icon="integrations" title="No analytics project is connected" action={connect}>
          Connect one, and its charts show who changed which feature, where and when.
        </EmptyState>
      ) : (
        <div className="integrations-list" aria-busy={integrations === undefined}>
          {integrations?.map((integration) => (
            <ConnectionCard key={integration.id} integration={integration} places={places} />
          )) ?? <ConnectionStandIn />}
        </div>
      )}
      {creating && <ConnectionForm places={places} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function OneConnection({ id, integrations }: { id: string; integrations: readonly Integration[] | undefined }) {
  const navigate = useNavigate();
  const places = usePlaces();
  const integration = integrations?.find((one) => one.id === id);
  if (integrations && !integration) {
    return (
      <Page title="Integrations">
        <EmptyState
          icon="integrations"
          title="This connection does not exist"
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
            places={places}
            withoutLink
            onDeleted={() => void navigate("/integrations")}
          />
        ) : (
          <ConnectionStandIn />
        )}
      </div>
      <Section title="Delivery log">
        <DeliveryLog id={id} />
      </Section>
    </Page>
  );
}
