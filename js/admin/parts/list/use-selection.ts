// Which items of a list are selected, also while a filter hides them.
import { useMemo, useState } from "react";

interface SelectionOptions<Item> {
  /** All items; undefined while they are loading. */
  items: readonly Item[] | undefined;
  /** Those that the filter shows. */
  visible: readonly Item[] | undefined;
  keyOf: (item: Item) => string;
  isSelectable: (item: Item) => boolean;
}

interface Selected<Item> {
  items: readonly Item[];
  keys: ReadonlySet<string>;
  /** How many selected items the filter hides. */
  hiddenCount: number;
  select: (keys: ReadonlySet<string>) => void;
  clear: () => void;
}

/** `keyOf` and `isSelectable` stay the same between renders, or the selection is computed again. */
export function useSelection<Item>({ items, visible, keyOf, isSelectable }: SelectionOptions<Item>): Selected<Item> {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  // A checked item that can no longer be selected, for example after a decision, is not selected.
  const selected = useMemo(
    () => (items ?? []).filter((item) => checked.has(keyOf(item)) && isSelectable(item)),
    [items, checked, keyOf, isSelectable],
  );
  const keys = useMemo(() => new Set(selected.map(keyOf)), [selected, keyOf]);
  const hiddenCount = useMemo(() => {
    const shown = new Set(visible?.map(keyOf));
    return selected.filter((item) => !shown.has(keyOf(item))).length;
  }, [visible, selected, keyOf]);
  return { items: selected, keys, hiddenCount, select: setChecked, clear: () => setChecked(new Set()) };
}
