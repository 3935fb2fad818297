// The keyboard's way to the messages and back: F6, from anywhere.
import { type RefObject, useEffect, useRef } from "react";

/** When the message with the focus goes, the focus returns to where it was before. */
export function useToastFocus(region: RefObject<HTMLElement | null>, toasts: readonly unknown[]): void {
  /** What had the focus before a message got it; undefined while none has it. */
  const before = useRef<HTMLElement>(undefined);

  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const isOutside = (target: EventTarget | null) => target instanceof HTMLElement && !element.contains(target);
    const onKeyDown = (event: KeyboardEvent) => {
      const control = element.querySelector<HTMLElement>("a, button");
      if (event.key !== "F6" || !control) return;
      event.preventDefault();
      if (!element.contains(document.activeElement)) control.focus();
      else (before.current ?? document.querySelector<HTMLElement>("#content"))?.focus();
    };
    const onFocusIn = ({ relatedTarget }: FocusEvent) => {
      if (isOutside(relatedTarget)) before.current = relatedTarget as HTMLElement;
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (isOutside(relatedTarget)) before.current = undefined;
    };
    document.addEventListener("keydown", onKeyDown);
    element.addEventListener("focusin", onFocusIn);
    element.addEventListener("focusout", onFocusOut);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      element.removeEventListener("focusin", onFocusIn);
      element.removeEventListener("focusout", onFocusOut);
    };
  }, [region]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when messages come or go
  useEffect(() => {
    // The browser moves the focus of a removed element to the body, without an event.
    if (document.activeElement !== document.body) return;
    before.current?.focus();
    before.current = undefined;
  }, [toasts]);
}
