// A table of requests, of which those that the signed-in person can decide on can be selected and decided on together. The
// requests of one copy share a row.
import { type ReactNode, useMemo } from "react";
import { type Column, Table } from "../../parts/list/table.js";
import { useSelection } from "../../parts/list/use-selection.js";
import type { ApprovalSummary } from "./approvals.js";
import { BulkDecisions } from "./bulk-decisions.js";
import { CopyCell } from "./columns.js";
import type { DecidableRequest } from "./decisions.js";

type Request = Pick<ApprovalSummary, "id" | "copyId" | "state" | "comment">;

interface DecidableTableProps<R extends Request> {
  columns: readonly Column<R>[];
  /** All requests; undefined while they are loading. */
  requests: readonly R[] | undefined;
  /** Those that the filter shows. */
  rows: readonly R[] | undefined;
  /** Whether each request has a row of its own, also those of one copy. */
  separate?: boolean;
  /** Whether the person may decide on any of them. */
  selectable: boolean;
  isDecidable: (request: R) => boolean;
  /** What dialogs say about a request. */
  describe: (request: R) => DecidableRequest;
  /** Shown instead of the table. The dialog of a decision stays open, also when no request is left. */
  instead: ReactNode;
}

/** A row: a request, or all that one copy requested and that are in the same state. */
interface Entry<R> {
  first: R;
  requests: readonly R[];
}

export function DecidableTable<R extends Request>(props: DecidableTableProps<R>) {
  const { columns: given, requests, rows, separate = false, selectable, isDecidable, describe, instead } = props;
  const entries = useMemo(() => requests && entriesOf(requests, separate), [requests, separate]);
  const visible = useMemo(() => {
    const shown = new Set(rows);
    return rows && entries?.filter(({ requests }) => requests.some((request) => shown.has(request)));
  }, [entries, rows]);
  const columns = useMemo(() => given.map((column) => columnOf(column, describe)), [given, describe]);
  const isSelectable = useMemo(() => (entry: Entry<R>) => entry.requests.every(isDecidable), [isDecidable]);
  const { items, keys, hiddenCount, select, clear } = useSelection({
    ...{ items: entries, visible, keyOf: idOf, isSelectable, sizeOf },
  });
  const selection = useMemo(() => {
    const label = ({ first, requests }: Entry<R>) => {
      const { featureName, environment } = describe(first);
      const name = requests.length > 1 ? `${requests.length.toLocaleString("en")} features` : featureName;
      return `Select ${name} in ${environment.name}`;
    };
    return { selected: keys, onChange: select, isSelectable, label };
  }, [keys, select, isSelectable, describe]);
  return (
    <>
      {instead ?? (
        <Table
          label="Approvals"
          columns={columns}
          rows={visible}
          rowKey={idOf}
          rowHeight={54}
          {...(selectable && { selection })}
        />
      )}
      {selectable && (
        <BulkDecisions
          requests={items.flatMap(({ requests }) => requests.map(describe))}
          hiddenCount={hiddenCount}
          onClear={clear}
        />
      )}
    </>
  );
}

function idOf({ first }: Entry<Request>): string {
  return first.id;
}

function sizeOf({ requests }: Entry<Request>): number {
  return requests.length;
}

/** Each at the place of its first request. */
function entriesOf<R extends Request>(requests: readonly R[], separate: boolean): Entry<R>[] {
  const groups = new Map<string, [R, ...R[]]>();
  for (const request of requests) {
    const { id, copyId, state } = request;
    const key = copyId && !separate ? `${copyId} ${state}` : id;
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return [...groups.values()].map((requests) => ({ first: requests[0], requests }));
}

/** The column of a table of single requests, for rows that may be a copy of several features. */
function columnOf<R extends Request>(column: Column<R>, describe: (request: R) => DecidableRequest): Column<Entry<R>> {
  const cell = ({ first, requests }: Entry<R>) =>
    column.key === "feature" && requests.length > 1 ? (
      <CopyCell request={first} requests={requests.map(describe)} />
    ) : (
      column.cell(first)
    );
  return { ...column, cell };
}
