// What a rule shows while rules are dragged.

/** `before` and `after`: the dragged rule would be dropped on this side of it. */
export type DragState = "dragged" | "before" | "after" | undefined;

export function dragStateOf(drag: { from: number; to: number } | undefined, index: number): DragState {
  if (drag?.from === index) return "dragged";
  if (!drag || drag.to !== index) return undefined;
  return drag.to < drag.from ? "before" : "after";
}
