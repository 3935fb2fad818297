// A column of a table, and how its cells are laid out.
import type { ReactNode } from "react";

export interface Column<Row> {
  key: string;
  header: string;
  /** Shown instead of the header; it has the same meaning. */
  headerCell?: ReactNode;
  /** The label of the cell in a card; by default the header. */
  cardLabel?: ReactNode;
  /** As in grid-template-columns: `12rem`, `minmax(0px, 1fr)`. The table scrolls sideways where the columns do not fit. */
  width: string;
  cell: (row: Row) => ReactNode;
  align?: "end" | "center";
  /**
   * Where the cell is in a card: on its own line (`title` without the header, `wide` with it), before the title (`select`), in the
   * upper corner, or hidden. A last column that is in the corner of a card stays in view while the table scrolls sideways.
   * By default the header and the value share a line with another cell.
   */
  card?: "title" | "select" | "wide" | "corner" | "hidden";
  /** Show the header to screen readers only. */
  hideHeader?: boolean;
}

interface CellStyle {
  align?: string | undefined;
  card?: string | undefined;
}

/** `isFirst` for cells of the column that stays in view. */
export function cellClass({ align, card }: CellStyle, isFirst: boolean): string {
  const classes = ["table-cell", align && `table-${align}`, card && `table-card-${card}`, isFirst && "table-first"];
  return classes.filter(Boolean).join(" ");
}

/** Below this width a column does not shrink. */
function minWidth({ width }: { width: string }): string {
  return /^minmax\((.+),/.exec(width)?.[1] ?? width;
}

/** The widths of a table's columns as properties of its style, for table.css. `first` is the column that stays in view. */
export function columnWidths(
  columns: readonly { width: string; card?: string }[],
  first: { width: string } | undefined,
): Record<string, string> {
  const last = columns.at(-1);
  const gaps = `${columns.length + 1} * var(--space-4)`;
  return {
    "--columns": columns.map(({ width }) => width).join(" "),
    "--first-column": first ? minWidth(first) : "0px",
    "--corner-column": last?.card === "corner" ? `calc(${last.width} + 2 * var(--space-4))` : "0px",
    "--min-width": `calc(${[...columns.map(minWidth), gaps].join(" + ")})`,
  };
}
