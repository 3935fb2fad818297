// Which items of a list are selected, also while a filter hides them.
import { useMemo, useState } from "react";

interface SelectionOptions<Item> {
  /** All items; undefined while they are loading. */
  items: readonly Item[] | undefined;
  /** Those that the filter shows. */
  visible: readonly Item[] | undefined;
  keyOf: (item: Item) => string;
  isSelectable: (item: Item) => boolean;
  /** How many an item counts as; one by default. */
  sizeOf?: (item: Item) => number;
}

/** Always the same, so that rows are not rendered again because nothing is selected. */
const NONE: ReadonlySet<string> = new Set();

interface Selected<Item> {
  items: readonly Item[];
  keys: ReadonlySet<string>;
  /** How many selected items the filter hides, by their size. */
  hiddenCount: number;
  select: (keys: ReadonlySet<string>) => void;
  clear: () => void;
}

/** `keyOf`, `isSelectable` and `sizeOf` stay the same between renders, or the selection is computed again. */
export function useSelection<Item>(options: SelectionOptions<Item>): Selected<Item> {
  const { items, visible, keyOf, isSelectable, sizeOf = one } = options;
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  // An item that can no longer be selected, for example after a decision, is not selected, also if it can be again later.
  const [seen, setSeen] = useState(items);
  if (items !== seen) {
    setSeen(items);
    const lost = new Set(items?.filter((item) => !isSelectable(item)).map(keyOf));
    if ([...checked].some((key) => lost.has(key))) setChecked(new Set([...checked].filter((key) => !lost.has(key))));
  }
  const selected = useMemo(
    () => (items ?? []).filter((item) => checked.has(keyOf(item)) && isSelectable(item)),
    [items, checked, keyOf, isSelectable],
  );
  const keys = useMemo(() => (selected.length === 0 ? NONE : new Set(selected.map(keyOf))), [selected, keyOf]);
  const hiddenCount = useMemo(() => {
    const shown = new Set(visible?.map(keyOf));
    const hidden = selected.filter((item) => !shown.has(keyOf(item)));
    return hidden.reduce((sum, item) => sum + sizeOf(item), 0);
  }, [visible, selected, keyOf, sizeOf]);
  return { items: selected, keys, hiddenCount, select: setChecked, clear: () => setChecked(new Set()) };
}

function one(): number {
  return 1;
}
