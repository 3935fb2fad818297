// A table that stays fast with thousands of rows: only the rows in view are rendered. Columns that do not fit are scrolled to,
// between the first one and the menu of a row. On narrow screens a row becomes a card.
// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the controls in the cells get the focus
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, type UIEventHandler, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Skeleton } from "../feedback/state.js";
import { type Column, cellClass, columnWidths } from "./column.js";
import { type Selection, selectionColumn } from "./selection-column.js";
import { useFirstPaint } from "./use-first-paint.js";
import { useRowNavigation } from "./use-row-navigation.js";
import { useSidewaysScroll } from "./use-sideways-scroll.js";

export type { Column } from "./column.js";

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are loading; skeletons are shown instead. */
  rows: readonly Row[] | undefined;
  /** Whether no rows will follow. */
  isComplete?: boolean;
  rowKey: (row: Row) => string;
  /** An estimate in pixels; the real height is measured. */
  rowHeight?: number;
  selection?: Selection<Row>;
}

/** How much is rendered beyond the window: in pixels, and at most in rows. In a table of many rows once those in the window are painted. */
const OVERSCAN_PX = 700;
const OVERSCAN_ROWS = 12;
const MANY_ROWS = 100;

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns: given, rows, isComplete = true, rowKey, rowHeight = 44, selection } = props;
  const all = isComplete ? rows : undefined;
  const columns = useMemo(
    () => (selection ? [selectionColumn(selection, all, rowKey), ...given] : given),
    [selection, all, rowKey, given],
  );
  const { table, onScroll } = useSidewaysScroll();
  const shared = { columns, first: given[0], onScroll };
  return (
    <div
      ref={table}
      role="table"
      className="table"
      aria-label={label}
      aria-rowcount={all ? all.length + 1 : -1}
      aria-busy={all === undefined}
      style={columnWidths(columns, given[0])}
    >
      <Head {...shared} />
      {rows ? (
        <Body {...shared} rows={rows} rowKey={rowKey} rowHeight={rowHeight} />
      ) : (
        <SkeletonBody {...shared} rowHeight={rowHeight} />
      )}
      {/* In view also while the end of the table is not. The keyboard scrolls with the focus. */}
      <div className="table-sideways table-scrollbar" aria-hidden="true" tabIndex={-1} onScroll={onScroll}>
        <div />
      </div>
    </div>
  );
}

interface PartProps<Row> {
  columns: readonly Column<Row>[];
  /** The column that stays in view. */
  first: Column<Row> | undefined;
  onScroll: UIEventHandler<HTMLElement>;
}

function Head<Row>({ columns, first, onScroll }: PartProps<Row>) {
  return (
    <div role="rowgroup" className="table-head table-sideways" onScroll={onScroll}>
      <div role="row" className="table-row" aria-rowindex={1}>
        {columns.map((column) => (
          <div key={column.key} role="columnheader" className={cellClass(column, column === first)}>
            {column.hideHeader ? (
              <span className="visually-hidden">{column.header}</span>
            ) : (
              column.headerCell || column.header
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

interface BodyProps<Row> extends PartProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowHeight: number;
}

function Body<Row>({ columns, first, rows, rowKey, rowHeight, onScroll }: BodyProps<Row>) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const isPainted = useFirstPaint();
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: isPainted || rows.length < MANY_ROWS ? Math.min(OVERSCAN_ROWS, Math.ceil(OVERSCAN_PX / rowHeight)) : 0,
    scrollMargin: top,
    getItemKey: (index) => (rows[index] === undefined ? index : rowKey(rows[index])),
  });
  const onKeyDown = useRowNavigation(body, rows.length, virtualizer.scrollToIndex);

  // Runs on every render: what is above the table may grow or shrink.
  useLayoutEffect(() => {
    if (!body.current) return;
    const now = Math.round(body.current.getBoundingClientRect().top + window.scrollY);
    if (now !== top) setTop(now);
  });

  return (
    <div role="rowgroup" className="table-sideways" onScroll={onScroll} onKeyDown={onKeyDown}>
      <div ref={body} className="table-body" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              role="row"
              className="table-row table-row-placed"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <Cells row={row} columns={columns} first={first} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Not rendered again while scrolling, only when the row or the columns change. */
const Cells = memo(AllCells) as typeof AllCells;

function AllCells<Row>({ row, columns, first }: Omit<PartProps<Row>, "onScroll"> & { row: Row }): ReactNode {
  return columns.map((column) => (
    <div key={column.key} role="cell" className={cellClass(column, column === first)}>
      {(!column.card || column.card === "wide") && !column.hideHeader && (
        <span className="table-cell-label" aria-hidden="true">
          {column.cardLabel || column.header}
        </span>
      )}
      {column.cell(row)}
    </div>
  ));
}

const SKELETON_ROWS = 8;

function SkeletonBody<Row>({ columns, first, rowHeight, onScroll }: PartProps<Row> & { rowHeight: number }) {
  return (
    <div role="rowgroup" className="table-sideways" onScroll={onScroll}>
      <div className="table-body">
        {Array.from({ length: SKELETON_ROWS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons are all alike
          <div key={index} className="table-row table-row-loading" aria-hidden="true" style={{ minHeight: rowHeight }}>
            {columns.map((column, position) => (
              <div key={column.key} className={cellClass(column, column === first)}>
                <Skeleton width={position === 0 ? `${9 + ((index * 5) % 7)}rem` : "3rem"} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
