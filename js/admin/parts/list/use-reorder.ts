// Reordering the items of a list: drag a handle with mouse, pen or finger, or use the arrow keys on it.
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

interface Drag {
  from: number;
  /** The index that the item gets if it is dropped now. */
  to: number;
}

/** What moves an item; the focus stays on the control that was used. */
type Control = "handle" | "up" | "down";

export interface ReorderHandlers {
  /** The events of the handle of the item at this index. */
  handle: (index: number) => {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  /** Moves the item at `index` to `to`; a `to` beyond the list means its end. */
  move: (index: number, to: number, control: Control) => void;
}

interface Reorder {
  drag: Drag | undefined;
  handlers: ReorderHandlers;
}

/** Closer to an edge of the window than this, dragging scrolls it. */
const SCROLL_EDGE_PX = 64;
const SCROLL_STEP_PX = 12;

export function useReorder(
  list: RefObject<HTMLElement | null>,
  count: number,
  onMove: (from: number, to: number) => void,
): Reorder {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef({ count, onMove });
  latest.current = { count, onMove };
  const keepFocus = useFocusAfterMove(list);

  // The functions never change, so an item that stays in place is not rendered again.
  const handlers = useMemo<ReorderHandlers>(() => {
    const move: ReorderHandlers["move"] = (index, to, control) => {
      const target = Math.min(Math.max(to, 0), latest.current.count - 1);
      if (target === index) return;
      keepFocus(target, control);
      latest.current.onMove(index, target);
    };
    const lastIndex = () => latest.current.count - 1;
    return { move, handle: handleEvents({ list, lastIndex, setDrag, move }) };
  }, [list, keepFocus]);
  return { drag, handlers };
}

/** A moved item is another element, and the browser has dropped the focus: this restores it. */
function useFocusAfterMove(list: RefObject<HTMLElement | null>): (index: number, control: Control) => void {
  const pending = useRef<{ index: number; control: Control }>(undefined);
  useLayoutEffect(() => {
    if (!pending.current) return;
    const { index, control } = pending.current;
    pending.current = undefined;
    const item = list.current?.children[index];
    const used = item?.querySelector<HTMLElement>(`[data-move="${control}"]:not([disabled])`);
    (used ?? item?.querySelector<HTMLElement>('[data-move="handle"]'))?.focus();
  });
  return useMemo(
    () => (index, control) => {
      pending.current = { index, control };
    },
    [],
  );
}

interface HandleOptions {
  list: RefObject<HTMLElement | null>;
  lastIndex: () => number;
  setDrag: (drag: Drag | undefined) => void;
  move: ReorderHandlers["move"];
}

function handleEvents({ list, lastIndex, setDrag, move }: HandleOptions): ReorderHandlers["handle"] {
  /** Not React's state: the pointer may be released before the last step is rendered. */
  let current: Drag | undefined;
  const update = (next: Drag | undefined) => {
    current = next;
    setDrag(next);
  };
  return (index) => ({
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      update({ from: index, to: index });
    },
    onPointerMove: ({ clientY }) => {
      if (current?.from !== index) return;
      if (clientY < SCROLL_EDGE_PX) window.scrollBy(0, -SCROLL_STEP_PX);
      else if (clientY > window.innerHeight - SCROLL_EDGE_PX) window.scrollBy(0, SCROLL_STEP_PX);
      update({ from: index, to: indexAt(list.current, clientY, index) });
    },
    onPointerUp: () => {
      const to = current?.to;
      update(undefined);
      if (to !== undefined) move(index, to, "handle");
    },
    onPointerCancel: () => update(undefined),
    onKeyDown: (event) => {
      if (event.key === "Escape") update(undefined);
      const targets: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: lastIndex() };
      const to = targets[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(index, to, "handle");
    },
  });
}

/** The index that an item dragged from `from` has at this height. */
function indexAt(list: HTMLElement | null, y: number, from: number): number {
  const items = [...(list?.children ?? [])].filter((_, index) => index !== from);
  const after = items.findIndex((item) => {
    const { top, height } = item.getBoundingClientRect();
    return y < top + height / 2;
  });
  return after === -1 ? items.length : after;
}
