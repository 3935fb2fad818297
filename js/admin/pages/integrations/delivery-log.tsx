// The deliveries of a connection, newest first, with every attempt.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hasFailed, resource } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { Time } from "../../parts/display/time.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { NameLink } from "../../parts/list/name-cell.js";
import { type Column, Table } from "../../parts/list/table.js";
import { DeliveryChip } from "./delivery-chip.js";
import { DELIVERIES, type Delivery, REFETCH_MS } from "./integrations.js";

const PAGE_SIZE = 50;

export function DeliveryLog({ id }: { id: string }) {
  /** The cursors of the pages up to the one that is shown; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useQuery({
    ...resource(DELIVERIES, { path: { id }, query: { limit: PAGE_SIZE, ...(cursor && { cursor }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
  if (hasFailed(page)) return <ErrorState error={page.error} onRetry={() => void page.refetch()} />;
  const items = page.data?.value.items;
  const next = page.data?.value.nextCursor;
  if (items?.length === 0 && cursors.length === 0) {
    return (
      <EmptyState icon="audit" title="No deliveries yet">
        Changes that are sent through this connection appear here, with the response of the destination.
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        label="Deliveries"
        columns={COLUMNS}
        rows={items}
        rowKey={(delivery) => String(delivery.id)}
        rowHeight={65}
      />
      {(next || cursors.length > 0) && (
        <nav className="integrations-pages" aria-label="Pages of the delivery log">
          <Button isDisabled={cursors.length === 0} onPress={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </Button>
          <span role="status">Page {cursors.length + 1}</span>
          <Button
            isDisabled={!next}
            isPending={page.isPlaceholderData}
            onPress={() => next && setCursors([...cursors, next])}
          >
            Older
          </Button>
        </nav>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    key: "change",
    header: "Change",
    width: "minmax(13rem, 1fr)",
    card: "title",
    cell: (delivery) => (
      <div className="integrations-change">
        <ChangeLink delivery={delivery} />
        <span className="note">
          <Time at={delivery.changedAt} /> by <bdi>{delivery.userName}</bdi>
        </span>
      </div>
    ),
  },
  { key: "state", header: "State", width: "6rem", card: "title", cell: ({ state }) => <StateChip state={state} /> },
  {
    key: "attempts",
    header: "Attempts",
    width: "minmax(14rem, 1.4fr)",
    card: "title",
    cell: ({ attempts }) =>
      attempts.length === 0 ? (
        <span className="note">No attempts yet</span>
      ) : (
        <ol className="integrations-attempts">
          {attempts.map(({ at, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an attempt has no id but its index
            <li key={index}>
              <span className="note integrations-when">
                <Time at={at} />
              </span>{" "}
              <bdi className="integrations-detail">{detail}</bdi>
            </li>
          ))}
        </ol>
      ),
  },
];

const APPROVALS: Record<string, string> = {
  "approval.requested": "Approval requested",
  "approval.decided": "Approval decided",
  "approval.withdrawn": "Request withdrawn",
  "approval.stale": "Request stale",
};

function ChangeLink({ delivery }: { delivery: Delivery }) {
  const { test, projectKey, featureKey, environmentKey, approvalId } = delivery;
  if (test) return <strong>Test event</strong>;
  if (approvalId) {
    const event = APPROVALS[delivery.type] ?? "Approval";
    return (
      <NameLink href={`/projects/${projectKey}/approvals/${approvalId}`}>
        {`${event}: ${projectKey} / ${featureKey} in ${environmentKey}`}
      </NameLink>
    );
  }
  const feature = `/projects/${projectKey}/features/${featureKey}`;
  return (
    <NameLink href={environmentKey ? `${feature}/environments/${environmentKey}` : feature}>
      {`${projectKey} / ${featureKey} in ${environmentKey || "all environments"}`}
    </NameLink>
  );
}

function StateChip({ state }: { state: Delivery["state"] }) {
  return state === "waiting" ? <Chip tone="note">Queued</Chip> : <DeliveryChip success={state === "delivered"} />;
}
