// A column of a table, and how its cells are laid out.
import type { ReactNode } from "react";

export interface Column<Row> {
  key: string;
  header: string;
  /** Shown instead of the header; it has the same meaning. */
  headerCell?: ReactNode;
  /** As in grid-template-columns: `12rem`, `minmax(0, 1fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  align?: "end" | "center";
  /**
   * Where the cell is in a card: on its own line (`title` without the header, `wide` with it), in the upper corner, or hidden.
   * By default the header and the value share a line with another cell.
   */
  card?: "title" | "wide" | "corner" | "hidden";
  /** Show the header to screen readers only. */
  hideHeader?: boolean;
}

export function cellClass({ align, card }: { align?: string | undefined; card?: string | undefined }): string {
  return ["table-cell", align && `table-${align}`, card && `table-card-${card}`].filter(Boolean).join(" ");
}
