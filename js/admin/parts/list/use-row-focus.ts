// Adds or removes a row of fields, and moves the focus with it.
import { type RefObject, useRef } from "react";
import { flushSync } from "react-dom";

/** A list is a button. The handle that moves a row is none. */
const FIELD = "input:not(:disabled), button:not(:disabled, [data-move])";
const BUTTON = "button:not(:disabled)";

interface RowFocus<List> {
  /** For the element that contains the rows, and after them the button that adds one. */
  list: RefObject<List | null>;
  /** Makes the change, then focuses the first field of the new row, which is the last one. */
  addRow: (change: () => void) => void;
  /**
   * Makes the change, then focuses the last button of the row that now has this place: the one that removes it. It is not a field that
   * opens suggestions.
   */
  removeRow: (index: number, change: () => void) => void;
}

/**
 * `selector` matches the rows. The focus moves before the next key: later, it would be taken from a person who has chosen another
 * field since, in the middle of a word. Not in a layout effect: a combo box that is still being mounted would not open its suggestions.
 */
export function useRowFocus<List extends HTMLElement>(selector: string): RowFocus<List> {
  const list = useRef<List>(null);
  const rows = () => [...(list.current?.querySelectorAll(selector) ?? [])];
  return {
    list,
    addRow: (change) => {
      flushSync(change);
      rows().at(-1)?.querySelector<HTMLElement>(FIELD)?.focus();
    },
    removeRow: (index, change) => {
      flushSync(change);
      const row = rows()[index] ?? rows().at(-1) ?? list.current;
      [...(row?.querySelectorAll<HTMLElement>(BUTTON) ?? [])].at(-1)?.focus();
    },
  };
}
