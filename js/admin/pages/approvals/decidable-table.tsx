// A table of requests, of which those that the signed-in person can decide on can be selected and decided on together.
import { type ReactNode, useMemo } from "react";
import { type Column, Table } from "../../parts/list/table.js";
import { useSelection } from "../../parts/list/use-selection.js";
import { BulkDecisions } from "./bulk-decisions.js";
import type { DecidableRequest } from "./decisions.js";

interface DecidableTableProps<Request> {
  columns: readonly Column<Request>[];
  /** All requests; undefined while they are loading. */
  requests: readonly Request[] | undefined;
  /** Those that the filter shows. */
  rows: readonly Request[] | undefined;
  /** Whether the person may decide on any of them. */
  selectable: boolean;
  isDecidable: (request: Request) => boolean;
  /** What dialogs say about a request. */
  describe: (request: Request) => DecidableRequest;
  /** Shown instead of the table. The dialog of a decision stays open, also when no request is left. */
  instead: ReactNode;
}

export function DecidableTable<Request extends { id: string }>(props: DecidableTableProps<Request>) {
  const { columns, requests, rows, selectable, isDecidable, describe, instead } = props;
  const { items, keys, hiddenCount, select, clear } = useSelection({
    ...{ items: requests, visible: rows, keyOf: idOf, isSelectable: isDecidable },
  });
  const selection = useMemo(() => {
    const label = (request: Request) => {
      const { featureName, environment } = describe(request);
      return `Select ${featureName} in ${environment.name}`;
    };
    return { selected: keys, onChange: select, isSelectable: isDecidable, label };
  }, [keys, select, isDecidable, describe]);
  return (
    <>
      {instead ?? (
        <Table
          label="Approvals"
          columns={columns}
          rows={rows}
          rowKey={idOf}
          rowHeight={54}
          {...(selectable && { selection })}
        />
      )}
      {selectable && <BulkDecisions requests={items.map(describe)} hiddenCount={hiddenCount} onClear={clear} />}
    </>
  );
}

function idOf({ id }: { id: string }): string {
  return id;
}
