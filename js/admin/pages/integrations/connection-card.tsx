// One connection at a glance: whether it delivers, what came of the last delivery, what waits; and what can be done with it.
import { useState } from "react";
import { Button, LinkButton } from "../../parts/button/button.js";
import { Menu } from "../../parts/button/menu.js";
import { Chip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { formatDuration, Time } from "../../parts/display/time.js";
import { Skeleton } from "../../parts/feedback/state.js";
import { ConnectionForm } from "./connection-form.js";
import { DeleteConnection } from "./delete-connection.js";
import type { Integration, Place } from "./integrations.js";
import { Delivered } from "./outcome.js";
import { useTestEvent } from "./test-event.js";
import { TestProgress } from "./test-progress.js";

interface ConnectionCardProps {
  integration: Integration;
  places: readonly Place[] | undefined;
  /** It stands on its own page already. */
  withoutLink?: boolean;
  onDeleted?: () => void;
}

export function ConnectionCard({ integration, places, withoutLink, onDeleted }: ConnectionCardProps) {
  const { id, configuration, enabled } = integration;
  const { region, filter } = configuration.analytics;
  const [open, setOpen] = useState<"edit" | "delete">();
  const test = useTestEvent(id);
  const close = () => setOpen(undefined);
  return (
    <article className="section integrations-card" aria-label={`Analytics, region ${region}`}>
      <header className="integrations-head">
        <h2>Analytics</h2>
        <span className="integrations-chips">
          <Chip>{region}</Chip>
          {integration.installed && (
            <Chip tone="accent" icon="check">
              Installed
            </Chip>
          )}
          <Status integration={integration} />
        </span>
        <Menu
          label={`Actions for Analytics, region ${region}`}
          actions={[
            { key: "edit", label: "Edit…", icon: "edit", run: () => setOpen("edit") },
            { key: "delete", label: "Delete…", icon: "close", danger: true, run: () => setOpen("delete") },
          ]}
        />
      </header>
      <KeyValue
        facts={[
          { term: "Last delivery", value: <LastDelivery integration={integration} /> },
          { term: "Backlog", value: <Backlog integration={integration} /> },
          { term: "Environments", value: <Environments ids={filter.environmentIds ?? []} places={places} /> },
        ]}
      />
      <TestProgress event={test.event} onDismiss={test.forget} />
      <footer className="integrations-actions">
        <Button onPress={test.send} isPending={test.event?.state === "sending"}>
          Send test event
        </Button>
        <Button icon="edit" onPress={() => setOpen("edit")}>
          Edit
        </Button>
        {!withoutLink && <LinkButton href={`/integrations/${id}`}>Delivery log</LinkButton>}
        {!enabled && <span className="integrations-aside">A test event is sent all the same.</span>}
      </footer>
      {open === "edit" && <ConnectionForm id={id} places={places} onClose={close} />}
      {open === "delete" && <DeleteConnection integration={integration} onClose={close} onDeleted={onDeleted} />}
    </article>
  );
}

/** Delivering: enabled, and the last delivery did not fail. */
function Status({ integration: { delivering, enabled } }: { integration: Integration }) {
  if (delivering) return <Chip tone="good">Delivering</Chip>;
  return enabled ? (
    <Chip tone="bad" icon="warning">
      Not delivering
    </Chip>
  ) : (
    <Chip tone="warn">Not delivering: disabled</Chip>
  );
}

function LastDelivery({ integration }: { integration: Integration }) {
  const { lastDeliveryAt, lastDeliverySuccess, lastDeliveryDetail } = integration;
  if (!lastDeliveryAt) return <span className="integrations-aside">None yet</span>;
  return (
    <div className="integrations-outcome">
      <span className="integrations-chips">
        <Delivered success={lastDeliverySuccess === true} />
        <span className="integrations-aside">
          <Time at={lastDeliveryAt} />
        </span>
      </span>
      <bdi className="integrations-detail">{lastDeliveryDetail}</bdi>
    </div>
  );
}

function Backlog({ integration: { backlog } }: { integration: Integration }) {
  const { waiting, oldestChangeAt, backlogged } = backlog;
  if (waiting === 0) return <span className="integrations-aside">Nothing waits</span>;
  const count = waiting.toLocaleString("en-GB");
  return (
    <span className="integrations-chips">
      <span>
        {waiting === 1 ? "1 change waits" : `${count} changes wait`}
        {oldestChangeAt &&
          `, ${waiting === 1 ? "" : "the oldest "}for ${formatDuration(Date.now() - Date.parse(oldestChangeAt))}`}
      </span>
      {backlogged && (
        <Chip tone="warn" icon="warning">
          Backlogged
        </Chip>
      )}
    </span>
  );
}

function Environments({ ids, places }: { ids: readonly string[]; places: readonly Place[] | undefined }) {
  if (ids.length === 0) return "Every environment";
  if (!places) return <Skeleton width="12rem" />;
  const named = places.filter(({ id }) => ids.includes(id));
  return (
    <ul className="integrations-chips">
      {named.map(({ id, project, environment, production }) => (
        <li key={id}>
          <Chip tone={production ? "warn" : "plain"}>
            <bdi>{project}</bdi> · <bdi>{environment}</bdi>
          </Chip>
        </li>
      ))}
      {ids.length > named.length && <li className="integrations-aside">{ids.length - named.length} unknown</li>}
    </ul>
  );
}

/** Before it is known which connections there are. */
export function ConnectionStandIn() {
  const facts = ["Last delivery", "Backlog", "Environments"];
  return (
    <div className="section integrations-card" aria-hidden="true">
      <div className="integrations-head">
        <h2>Analytics</h2>
        <Skeleton width="12rem" height="1.25rem" />
      </div>
      <KeyValue
        facts={facts.map((term, index) => ({ term, value: <Skeleton width={index === 0 ? "16rem" : "8rem"} /> }))}
      />
      <div className="integrations-actions">
        <Skeleton width="8.5rem" height="2rem" />
        <Skeleton width="4.5rem" height="2rem" />
      </div>
    </div>
  );
}
