// Scrolls the parts of a wide table together: its head, its body and the scrollbar below it.
import { type RefObject, type UIEventHandler, useCallback, useRef } from "react";

/** The class of the parts. */
const SIDEWAYS = "table-sideways";

interface SidewaysScroll {
  table: RefObject<HTMLDivElement | null>;
  /** For each part. */
  onScroll: UIEventHandler<HTMLElement>;
}

/**
 * The window scrolls a table vertically, and its head stays at the top of the window. An element around both that scrolls sideways
 * would take the head along, so each part scrolls for itself.
 */
export function useSidewaysScroll(): SidewaysScroll {
  const table = useRef<HTMLDivElement>(null);
  const onScroll = useCallback<UIEventHandler<HTMLElement>>(({ currentTarget }) => {
    // A row that is higher than estimated is beyond the end of the body until it is measured. The window scrolls to it.
    if (currentTarget.scrollTop !== 0) currentTarget.scrollTop = 0;
    const { scrollLeft } = currentTarget;
    for (const part of table.current?.getElementsByClassName(SIDEWAYS) ?? []) {
      if (part.scrollLeft !== scrollLeft) part.scrollLeft = scrollLeft;
    }
    table.current?.toggleAttribute("data-scrolled", scrollLeft !== 0);
  }, []);
  return { table, onScroll };
}
