// Moving the items of a list: dragged by a handle with mouse, pen or finger, or with the arrow keys on it.
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
  /** Where it would stand if it were let go. */
  to: number;
}

export interface Moves {
  /** For the handle of the item at this place. */
  handle: (index: number) => {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  /** Moves one step, or to an end, and keeps the focus on what was pressed. */
  step: (index: number, to: number, pressed: "handle" | "up" | "down") => void;
}

interface Reorder {
  drag: Drag | undefined;
  moves: Moves;
}

/** So near to an edge of the window, it scrolls. */
const EDGE = 64;

export function useReorder(
  list: RefObject<HTMLElement | null>,
  count: number,
  move: (from: number, to: number) => void,
): Reorder {
  const [drag, show] = useState<Drag>();
  const focus = useRef<{ index: number; pressed: string }>(undefined);
  const latest = useRef({ count, move });
  latest.current = { count, move };

  // The item stands elsewhere now, and the browser has let go of the focus.
  useLayoutEffect(() => {
    if (!focus.current) return;
    const { index, pressed } = focus.current;
    focus.current = undefined;
    const item = list.current?.children[index];
    const wanted = item?.querySelector<HTMLElement>(`[data-move="${pressed}"]:not([disabled])`);
    (wanted ?? item?.querySelector<HTMLElement>('[data-move="handle"]'))?.focus();
  });

  // Always the same functions, so that an item that does not move is not rendered again.
  const moves = useMemo<Moves>(() => {
    /** At once, because the pointer may be let go before the last step was shown. */
    let current: Drag | undefined;
    const setDrag = (next: Drag | undefined) => {
      current = next;
      show(next);
    };
    const placeAt = (y: number, from: number): number => {
      const items = [...(list.current?.children ?? [])].filter((_, index) => index !== from);
      const after = items.findIndex((item) => {
        const { top, height } = item.getBoundingClientRect();
        return y < top + height / 2;
      });
      return after === -1 ? items.length : after;
    };
    const step: Moves["step"] = (index, to, pressed) => {
      const place = Math.min(Math.max(to, 0), latest.current.count - 1);
      if (place === index) return;
      focus.current = { index: place, pressed };
      latest.current.move(index, place);
    };
    const handle: Moves["handle"] = (index) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: index, to: index });
      },
      onPointerMove: ({ clientY }) => {
        if (current?.from !== index) return;
        if (clientY < EDGE) window.scrollBy(0, -12);
        else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, 12);
        setDrag({ from: index, to: placeAt(clientY, index) });
      },
      onPointerUp: () => {
        const to = current?.to;
        setDrag(undefined);
        if (to !== undefined) step(index, to, "handle");
      },
      onPointerCancel: () => setDrag(undefined),
      onKeyDown: (event) => {
        if (event.key === "Escape") setDrag(undefined);
        const last = latest.current.count - 1;
        const steps: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last };
        const to = steps[event.key];
        if (to === undefined) return;
        event.preventDefault();
        step(index, to, "handle");
      },
    });
    return { step, handle };
  }, [list]);
  return { drag, moves };
}
