// Tab in a dialog, where a field has parts: the day, the month and the year of a date.
import { type RefObject, useEffect } from "react";
// No other name exports it.
import { getFocusableTreeWalker } from "react-aria/private/focus/FocusScope";

/**
 * React Aria keeps the focus in a dialog by moving it to the next field itself, and to the first part of it. Here the browser moves it
 * wherever it leaves or enters a field with parts, because only the browser knows them.
 */
export function useTabIntoParts(dialog: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = dialog;
      const { key, target, shiftKey } = event;
      if (key !== "Tab" || !(target instanceof HTMLElement) || !current?.contains(target)) return;
      const walker = getFocusableTreeWalker(current, { tabbable: true });
      walker.currentNode = target;
      const next = shiftKey ? walker.previousNode() : walker.nextNode();
      // Without one, it goes to the other end of the dialog.
      if (next && [target, next].some(hasParts)) event.stopPropagation();
    };
    // After all handlers of components, and before that of React Aria, which is at the document.
    document.body.addEventListener("keydown", onKeyDown);
    return () => document.body.removeEventListener("keydown", onKeyDown);
  }, [dialog]);
}

function hasParts(element: Node): boolean {
  return element instanceof HTMLInputElement && element.type === "datetime-local";
}
