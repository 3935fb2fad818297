// What was delivered, what failed and what waits, newest first, with every attempt.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-aria-components";
import { resource } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { Chip } from "../../parts/display/chip.js";
import { Time } from "../../parts/display/time.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { type Column, Table } from "../../parts/list/table.js";
import { DELIVERIES, type Delivery, LOOK_AGAIN_MS } from "./integrations.js";
import { Delivered } from "./outcome.js";

const PAGE = 50;

export function DeliveryLog({ id }: { id: string }) {
  /** Where the pages begin that were turned over; the last one is shown. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useQuery({
    ...resource(DELIVERIES, { path: { id }, query: { limit: PAGE, ...(cursor && { cursor }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (page.isError) return <ErrorState error={page.error} onRetry={() => void page.refetch()} />;
  const items = page.data?.value.items;
  const next = page.data?.value.nextCursor;
  if (items?.length === 0 && cursors.length === 0) {
    return (
      <EmptyState icon="audit" title="Nothing has been delivered yet">
        Every change that this connection is told of stands here, with what the destination answered.
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
        <What delivery={delivery} />
        <span className="integrations-aside">
          <Time at={delivery.changedAt} /> by <bdi>{delivery.userName}</bdi>
        </span>
      </div>
    ),
  },
  { key: "state", header: "State", width: "6rem", card: "title", cell: ({ state }) => <State state={state} /> },
  {
    key: "attempts",
    header: "Attempts",
    width: "minmax(14rem, 1.4fr)",
    card: "title",
    cell: ({ attempts }) =>
      attempts.length === 0 ? (
        <span className="integrations-aside">No attempt yet</span>
      ) : (
        <ol className="integrations-attempts">
          {attempts.map(({ at, status, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts have no identity but their place
            <li key={index}>
              <span className="integrations-aside integrations-when">
                <Time at={at} />
              </span>{" "}
              <bdi className="integrations-detail">{status ? detail : `No answer: ${detail}`}</bdi>
            </li>
          ))}
        </ol>
      ),
  },
];

function What({ delivery }: { delivery: Delivery }) {
  const { test, projectKey, featureKey, environmentKey } = delivery;
  if (test) return <strong>Test event</strong>;
  const feature = `/projects/${projectKey}/features/${featureKey}`;
  return (
    <Link className="integrations-link" href={environmentKey ? `${feature}/environments/${environmentKey}` : feature}>
      {projectKey} / {featureKey} in {environmentKey || "all environments"}
    </Link>
  );
}

function State({ state }: { state: Delivery["state"] }) {
  return state === "waiting" ? <Chip tone="note">Waiting</Chip> : <Delivered success={state === "delivered"} />;
}
