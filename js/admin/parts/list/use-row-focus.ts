// The focus after a row of fields was added or removed.
import { type RefObject, useRef } from "react";

/** A list is a button. The handle that moves a row is none. */
const FIELD = "input:not(:disabled), button:not(:disabled, [data-move])";
const BUTTON = "button:not(:disabled)";

interface RowFocus<List> {
  /** For the element that contains the rows, and after them the button that adds one. */
  list: RefObject<List | null>;
  /** Focuses the first field of the new row, which is the last one. */
  onAdded: () => void;
  /** Focuses the last button of the row that now has this place: the one that removes it. It is not a field that opens suggestions. */
  onRemoved: (index: number) => void;
}

/** `selector` matches the rows. */
export function useRowFocus<List extends HTMLElement>(selector: string): RowFocus<List> {
  const list = useRef<List>(null);
  const rows = () => [...(list.current?.querySelectorAll(selector) ?? [])];
  return {
    list,
    onAdded: () => requestAnimationFrame(() => rows().at(-1)?.querySelector<HTMLElement>(FIELD)?.focus()),
    onRemoved: (index) =>
      requestAnimationFrame(() => {
        const row = rows()[index] ?? rows().at(-1) ?? list.current;
        [...(row?.querySelectorAll<HTMLElement>(BUTTON) ?? [])].at(-1)?.focus();
      }),
  };
}
