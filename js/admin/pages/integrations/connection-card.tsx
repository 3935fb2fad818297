// One connection at a glance: its status, last delivery and backlog, and what can be done with it.
import { useState } from "react";
import type { ProjectEnvironment } from "../../api/projects.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { Menu } from "../../parts/button/menu.js";
import { Chip, type Tone } from "../../parts/display/chip.js";
import type { IconName } from "../../parts/display/icon.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { formatDuration, Time } from "../../parts/display/time.js";
import { Skeleton } from "../../parts/feedback/state.js";
import { ConnectionDialog } from "./connection-dialog.js";
import { DeleteConnection } from "./delete-connection.js";
import { DeliveryChip } from "./delivery-chip.js";
import type { Integration } from "./integrations.js";
import { filterOf, KINDS, placeOf } from "./kinds.js";
import { ReplaceSigningSecret } from "./signing-secret.js";
import { useTestEvent } from "./test-event.js";
import { TestEventStatus } from "./test-event-status.js";

interface ConnectionCardProps {
  integration: Integration;
  environments: readonly ProjectEnvironment[] | undefined;
  /** Whether this is the connection's own page, which needs no link to itself. */
  withoutLink?: boolean;
  onDeleted?: () => void;
}

export function ConnectionCard({ integration, environments, withoutLink, onDeleted }: ConnectionCardProps) {
  const { id, type, enabled } = integration;
  const [dialog, setDialog] = useState<OpenDialog>();
  const test = useTestEvent(id);
  const close = () => setDialog(undefined);
  return (
    <article className="section integrations-card" aria-label={labelOf(integration)}>
      <CardHead integration={integration} onOpen={setDialog} />
      <KeyValue
        facts={[
          { term: "Last delivery", value: <LastDelivery integration={integration} /> },
          { term: "Backlog", value: <Backlog integration={integration} /> },
          { term: "Environments", value: <Filter ids={filterOf(integration)} environments={environments} /> },
        ]}
      />
      <TestEventStatus event={test.event} onDismiss={test.dismiss} />
      <footer className="integrations-actions">
        <Button onPress={test.send} isPending={test.event?.state === "sending"}>
          Send test event
        </Button>
        <Button icon="edit" onPress={() => setDialog("edit")}>
          Edit
        </Button>
        {!withoutLink && <LinkButton href={`/integrations/${id}`}>Delivery log</LinkButton>}
        {!enabled && <span className="note">You can still send test events.</span>}
      </footer>
      {dialog === "edit" && <ConnectionDialog kind={type} id={id} environments={environments} onClose={close} />}
      {dialog === "secret" && <ReplaceSigningSecret id={id} onClose={close} />}
      {dialog === "delete" && <DeleteConnection integration={integration} onClose={close} onDeleted={onDeleted} />}
    </article>
  );
}

type OpenDialog = "edit" | "secret" | "delete";

function labelOf(integration: Integration): string {
  const { name } = KINDS[integration.type];
  return integration.type === "analytics"
    ? `${name}, region ${placeOf(integration)}`
    : `${name}, ${placeOf(integration)}`;
}

interface CardHeadProps {
  integration: Integration;
  onOpen: (dialog: OpenDialog) => void;
}

function CardHead({ integration, onOpen }: CardHeadProps) {
  return (
    <header className="integrations-head">
      <h2>{KINDS[integration.type].name}</h2>
      <span className="chips">
        <Chip>
          <bdi>{placeOf(integration)}</bdi>
        </Chip>
        {integration.installed && (
          <Chip tone="accent" icon="check">
            Installed
          </Chip>
        )}
        <StatusChip integration={integration} />
      </span>
      <Menu
        label={`Actions for ${labelOf(integration)}`}
        actions={[
          { key: "edit", label: "Edit…", icon: "edit", run: () => onOpen("edit") },
          ...(integration.type === "webhook" ? [SECRET] : []).map((action) => ({
            ...action,
            run: () => onOpen("secret"),
          })),
          { key: "delete", label: "Delete…", icon: "close", danger: true, run: () => onOpen("delete") },
        ]}
      />
    </header>
  );
}

const SECRET = { key: "secret", label: "Replace signing secret…", icon: "tokens" as const };

type Status = "delivering" | "new" | "failing" | "disabled";

const STATUS: Record<Status, { tone: Tone; icon?: IconName; text: string }> = {
  delivering: { tone: "good", text: "Delivering" },
  new: { tone: "plain", text: "No delivery yet" },
  failing: { tone: "bad", icon: "warning", text: "Not delivering" },
  disabled: { tone: "warn", text: "Not delivering: disabled" },
};

/** A connection delivers if it is enabled and its last delivery succeeded. */
function statusOf({ delivering, enabled, lastDeliveryAt }: Integration): Status {
  if (!enabled) return "disabled";
  if (!lastDeliveryAt) return "new";
  return delivering ? "delivering" : "failing";
}

function StatusChip({ integration }: { integration: Integration }) {
  const status = STATUS[statusOf(integration)];
  return (
    <Chip tone={status.tone} icon={status.icon}>
      {status.text}
    </Chip>
  );
}

function LastDelivery({ integration }: { integration: Integration }) {
  const { lastDeliveryAt, lastDeliverySuccess, lastDeliveryDetail } = integration;
  if (!lastDeliveryAt) return <span className="note">None yet</span>;
  return (
    <div className="integrations-last">
      <span className="chips">
        <DeliveryChip success={lastDeliverySuccess === true} />
        <span className="note">
          <Time at={lastDeliveryAt} />
        </span>
      </span>
      <bdi className="integrations-detail">{lastDeliveryDetail}</bdi>
    </div>
  );
}

function Backlog({ integration: { backlog } }: { integration: Integration }) {
  const { waiting, oldestChangeAt, backlogged } = backlog;
  if (waiting === 0) return <span className="note">Queue empty</span>;
  const age = oldestChangeAt && formatDuration(Date.now() - Date.parse(oldestChangeAt));
  return (
    <span className="chips">
      <span>
        {waiting === 1 ? "1 change queued" : `${waiting.toLocaleString("en-GB")} changes queued`}
        {age && (waiting === 1 ? ` for ${age}` : `, the oldest for ${age}`)}
      </span>
      {backlogged && (
        <Chip tone="warn" icon="warning">
          Backlogged
        </Chip>
      )}
    </span>
  );
}

interface FilterProps {
  ids: readonly string[];
  environments: readonly ProjectEnvironment[] | undefined;
}

function Filter({ ids, environments }: FilterProps) {
  if (ids.length === 0) return "All environments";
  if (!environments) return <Skeleton width="12rem" />;
  const known = environments.filter(({ id }) => ids.includes(id));
  return (
    <ul className="chips">
      {known.map(({ id, project, name, production }) => (
        <li key={id}>
          <Chip tone={production ? "warn" : "plain"}>
            <bdi>{project}</bdi> · <bdi>{name}</bdi>
          </Chip>
        </li>
      ))}
      {ids.length > known.length && <li className="note">{ids.length - known.length} unknown</li>}
    </ul>
  );
}

/** Shown until the connections are loaded. */
export function ConnectionSkeleton() {
  const terms = ["Last delivery", "Backlog", "Environments"];
  return (
    <div className="section integrations-card" aria-hidden="true">
      <div className="integrations-head">
        <Skeleton width="6rem" height="1.5rem" />
        <Skeleton width="12rem" height="1.25rem" />
      </div>
      <KeyValue
        facts={terms.map((term, index) => ({ term, value: <Skeleton width={index === 0 ? "16rem" : "8rem"} /> }))}
      />
      <div className="integrations-actions">
        <Skeleton width="8.5rem" height="2rem" />
        <Skeleton width="4.5rem" height="2rem" />
      </div>
    </div>
  );
}
