// The checkboxes of a table: one for each row, and one in the header for all rows that can be selected.
import { Checkbox } from "../choice/checkbox.js";
import type { Column } from "./column.js";

export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  isSelectable: (row: Row) => boolean;
  /** The label of a row's checkbox: `Select New checkout`. */
  label: (row: Row) => string;
}

export function selectionColumn<Row>(
  { selected, onChange, isSelectable, label }: Selection<Row>,
  /** All rows; undefined while they are loading. */
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
): Column<Row> {
  const selectable = (rows ?? []).filter(isSelectable).map(rowKey);
  const count = selectable.filter((key) => selected.has(key)).length;
  const select = (key: string, on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  /** Rows that a filter hides stay as they are. */
  const selectAll = (on: boolean) => {
    const visible = new Set(selectable);
    const hidden = [...selected].filter((key) => !visible.has(key));
    onChange(new Set(on ? [...hidden, ...selectable] : hidden));
  };
  return {
    key: "select",
    header: "Selection",
    width: "2.5rem",
    card: "select",
    headerCell: (
      <Checkbox
        label="Select all"
        hideLabel
        isSelected={selectable.length > 0 && count === selectable.length}
        isIndeterminate={count > 0 && count < selectable.length}
        isDisabled={selectable.length === 0}
        onChange={selectAll}
      />
    ),
    cell: (row) => (
      <Checkbox
        label={label(row)}
        hideLabel
        isSelected={selected.has(rowKey(row))}
        isDisabled={!isSelectable(row)}
        onChange={(on) => select(rowKey(row), on)}
      />
    ),
  };
}
