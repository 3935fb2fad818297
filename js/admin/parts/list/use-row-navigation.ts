// Keyboard navigation in a table: keys move the focus from row to row, to the same control of the same column.
import { type KeyboardEvent, type RefObject, useLayoutEffect, useState } from "react";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled]), [tabindex='0']";
/** How many rows each key moves; Home and End move to the first and the last row. */
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Returns the handler for the body. `scrollToIndex` makes a row exist that was out of view. */
export function useRowNavigation(
  body: RefObject<HTMLElement | null>,
  count: number,
  scrollToIndex: (index: number) => void,
): (event: KeyboardEvent) => void {
  const [target, setTarget] = useState<{ row: number; column: number; control: number }>();

  // Runs on every render: the target row may not have existed before.
  useLayoutEffect(() => {
    if (!target) return;
    const row = body.current?.querySelector(`[data-index="${target.row}"]`);
    if (!row) return;
    const controls = controlsIn(row.children[target.column]);
    const control = controls[target.control] ?? controls[0] ?? controlsIn(row)[0];
    control?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    setTarget(undefined);
  });

  return (event) => {
    const step = STEPS[event.key];
    const control = event.target as HTMLElement;
    // Arrows open a menu, and move the caret in a text field.
    const usesArrows = control.matches("[aria-haspopup], textarea, input:not([type=checkbox])");
    if (step === undefined || usesArrows || event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    const row = control.closest("[data-index]");
    const cell = control.closest(".table-cell");
    if (!row || !cell) return;
    event.preventDefault();
    const to = Math.min(Math.max(Number(row.getAttribute("data-index")) + step, 0), count - 1);
    scrollToIndex(to);
    setTarget({ row: to, column: [...row.children].indexOf(cell), control: controlsIn(cell).indexOf(control) });
  };
}

function controlsIn(element: Element | undefined): HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
}
