// A bar at the bottom of the window: how many rows of a list are selected, and what can be done with them.
import { type ReactNode, useRef } from "react";
import { Button } from "../button/button.js";

interface SelectionBarProps {
  label: string;
  count: number;
  /** How many of them the filter hides. */
  hiddenCount?: number;
  /** After the count, such as why nothing can be done. */
  note?: ReactNode;
  onClear: () => void;
  children: ReactNode;
}

export function SelectionBar({ label, count, hiddenCount = 0, note, onClear, children }: SelectionBarProps) {
  const bar = useRef<HTMLElement>(null);
  const clear = () => {
    onClear();
    // The button goes away with the selection. The list is where a new one starts.
    bar.current?.closest(".page")?.querySelector<HTMLElement>("[role=columnheader] input")?.focus();
  };
  return (
    <section ref={bar} className="selection-bar" aria-label={label}>
      <div className="selection-count">
        <span role="status">
          {count === 0 ? "None selected" : `${count.toLocaleString("en")} selected`}
          {hiddenCount > 0 && (
            <span className="selection-hidden">, {hiddenCount.toLocaleString("en")} hidden by the filter</span>
          )}
          {note}
        </span>
        {count > 0 && (
          <Button kind="quiet" onPress={clear}>
            Clear
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}
