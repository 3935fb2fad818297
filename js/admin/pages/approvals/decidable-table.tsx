// A table of requests, of which those that the signed-in person can decide on can be selected and decided on together. The
// requests of one copy share a row.
import { type ReactNode, useMemo } from "react";
import { type Column, Table } from "../../parts/list/table.js";
import { useSelection } from "../../parts/list/use-selection.js";
import type { ApprovalSummary } from "./approvals.js";
import { BulkDecisions } from "./bulk/bulk-decisions.js";
import { CopyCell } from "./columns.js";
import type { DecidableRequest } from "./decisions.js";
import { type Entry, entriesOf, entriesWith } from "./entries.js";

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

export function DecidableTable<R extends Request>(props: DecidableTableProps<R>) {
  const { columns: given, requests, rows, separate = false, selectable, isDecidable, describe, instead } = props;
  const entries = useMemo(() => requests && entriesOf(requests, separate), [requests, separate]);
  const visible = useMemo(() => entries && rows && entriesWith(rows, entries), [entries, rows]);
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
