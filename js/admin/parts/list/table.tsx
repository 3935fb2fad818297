// A table that stays quick with thousands of rows: only those in view exist. Arrow keys, Page Up and Down, Home and End move
// from row to row in the same column. Where there is little room a row becomes a card, its cells under one another.
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the cells has the focus
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Checkbox } from "../choice/checkbox.js";
import { Skeleton } from "../feedback/state.js";

export interface Column<Row> {
  key: string;
  header: string;
  /** What is shown in its place, and says the same. */
  headerCell?: ReactNode;
  /** As in grid-template-columns: `12rem`, `minmax(0, 1fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  align?: "end" | "center";
  /**
   * In a card: on a line of its own without the header or with it, in the upper corner, or not at all; otherwise header, then
   * value, beside another one.
   */
  card?: "title" | "wide" | "corner" | "hidden";
  /** The header is spoken, and not shown. */
  hideHeader?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are on their way: then stand-ins of their size are shown. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** A guess of a row's height in pixels; what it is, is measured. */
  rowHeight?: number;
  selection?: Selection<Row>;
}

interface Selection<Row> {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  isSelectable: (row: Row) => boolean;
  /** What is ticked: `Select New checkout`. */
  label: (row: Row) => string;
}

const STAND_INS = 8;
/** How much beyond the window is there already, in pixels, and in rows at most. */
const BEYOND = 700;
const BEYOND_ROWS = 12;
const REACHABLE = "a[href], button:not([disabled]), input:not([disabled]), [tabindex='0']";
/** Steps of keys; of Home and End to the very first and last row. */
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function Table<Row>({ label, columns: given, rows, rowKey, rowHeight = 44, selection }: TableProps<Row>) {
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const [wanted, setWanted] = useState<{ row: number; column: number }>();
  const columns = useMemo(
    () => (selection ? [tickColumn(selection, rows, rowKey), ...given] : given),
    [selection, rows, rowKey, given],
  );

  const virtualizer = useWindowVirtualizer({
    count: rows?.length ?? 0,
    estimateSize: () => rowHeight,
    overscan: Math.min(BEYOND_ROWS, Math.ceil(BEYOND / rowHeight)),
    scrollMargin: offset,
    getItemKey: (index) => (rows?.[index] === undefined ? index : rowKey(rows[index])),
  });

  // What stands above the table may grow or shrink with every rendering.
  useLayoutEffect(() => {
    if (!body.current) return;
    const top = Math.round(body.current.getBoundingClientRect().top + window.scrollY);
    if (top !== offset) setOffset(top);
  });

  // The row that a key has asked for may not have existed until now.
  useLayoutEffect(() => {
    if (!wanted) return;
    const row = body.current?.querySelector(`[data-index="${wanted.row}"]`);
    if (!row) return;
    const cell = row.children[wanted.column]?.querySelector<HTMLElement>(REACHABLE);
    (cell ?? row.querySelector<HTMLElement>(REACHABLE))?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    setWanted(undefined);
  });

  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const target = event.target as HTMLElement;
    // A menu opens with an arrow, and in a text the arrows move the caret.
    const ownArrows = target.matches("[aria-haspopup], textarea, input:not([type=checkbox])");
    if (step === undefined || ownArrows || event.altKey || event.ctrlKey || event.metaKey || !rows) return;
    const row = target.closest("[data-index]");
    const cell = target.closest(".table-cell");
    if (!row || !cell) return;
    event.preventDefault();
    const to = Math.min(Math.max(Number(row.getAttribute("data-index")) + step, 0), rows.length - 1);
    virtualizer.scrollToIndex(to);
    setWanted({ row: to, column: [...row.children].indexOf(cell) });
  };

  return (
    <div
      role="table"
      className="table"
      aria-label={label}
      aria-rowcount={rows ? rows.length + 1 : -1}
      aria-busy={rows === undefined}
      style={{ "--columns": columns.map((column) => column.width).join(" ") } as CSSProperties}
    >
      <div role="rowgroup" className="table-head">
        <div role="row" className="table-row" aria-rowindex={1}>
          {columns.map((column) => (
            <div key={column.key} role="columnheader" className={cellClass(column)}>
              {column.hideHeader ? (
                <span className="visually-hidden">{column.header}</span>
              ) : (
                column.headerCell || column.header
              )}
            </div>
          ))}
        </div>
      </div>
      <div
        ref={body}
        role="rowgroup"
        className="table-body"
        onKeyDown={move}
        style={{ height: rows ? virtualizer.getTotalSize() : undefined }}
      >
        {rows
          ? virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index];
              return row === undefined ? null : (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  role="row"
                  className="table-row table-row-placed"
                  aria-rowindex={index + 2}
                  style={{ transform: `translateY(${start - offset}px)` }}
                >
                  <Cells row={row} columns={columns} />
                </div>
              );
            })
          : Array.from({ length: STAND_INS }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins are all alike
              <div key={index} className="table-row" aria-hidden="true" style={{ minHeight: rowHeight }}>
                {columns.map((column, place) => (
                  <div key={column.key} className={cellClass(column)}>
                    <Skeleton width={place === 0 ? `${9 + ((index * 5) % 7)}rem` : "3rem"} />
                  </div>
                ))}
              </div>
            ))}
      </div>
    </div>
  );
}

/** Rendered again when the row or the columns are others, and not with every step of scrolling. */
const Cells = memo(AllCells) as typeof AllCells;

function AllCells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }): ReactNode {
  return columns.map((column) => (
    <div key={column.key} role="cell" className={cellClass(column)}>
      {(!column.card || column.card === "wide") && !column.hideHeader && (
        <span className="table-cell-label" aria-hidden="true">
          {column.header}
        </span>
      )}
      {column.cell(row)}
    </div>
  ));
}

function cellClass(column: { align?: string | undefined; card?: string | undefined }): string {
  return ["table-cell", column.align && `table-${column.align}`, column.card && `table-card-${column.card}`]
    .filter(Boolean)
    .join(" ");
}

/** The ticks, and in the header one for all that can be ticked. */
function tickColumn<Row>(
  { selected, onChange, isSelectable, label }: Selection<Row>,
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
): Column<Row> {
  const all = (rows ?? []).filter(isSelectable).map(rowKey);
  const ticked = all.filter((key) => selected.has(key));
  const tick = (key: string, on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  /** Those that a filter hides stay as they are. */
  const tickAll = (on: boolean) => {
    const inView = new Set(all);
    const hidden = [...selected].filter((key) => !inView.has(key));
    onChange(new Set(on ? [...hidden, ...all] : hidden));
  };
  return {
    key: "select",
    header: "Selection",
    width: "2.5rem",
    card: "title",
    headerCell: (
      <Checkbox
        label="Select all"
        hideLabel
        isSelected={all.length > 0 && ticked.length === all.length}
        isIndeterminate={ticked.length > 0 && ticked.length < all.length}
        isDisabled={all.length === 0}
        onChange={tickAll}
      />
    ),
    cell: (row) => (
      <Checkbox
        label={label(row)}
        hideLabel
        isSelected={selected.has(rowKey(row))}
        isDisabled={!isSelectable(row)}
        onChange={(on) => tick(rowKey(row), on)}
      />
    ),
  };
}
