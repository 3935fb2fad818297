// Keeps the focus on the page. When an element with the focus is removed or disabled, the browser drops the focus: a screen reader
// loses its place, and after a dialog, Tab starts at the top. The focus then goes to what is next to the element in its section.
import { useEffect } from "react";

const DIALOG = "[role=dialog], [role=alertdialog]";
const CONTROL = "a[href], summary, [tabindex='0'], :is(button, input, textarea):not(:disabled, [tabindex='-1'])";

/** The element that had the focus last, and its ancestors up to its section, each with the index of the child that leads to it. */
interface Place {
  element: HTMLElement;
  ancestors: { parent: Element; index: number }[];
}

function placeOf(element: HTMLElement): Place {
  const ancestors: Place["ancestors"] = [];
  let child: Element = element;
  while (child.parentElement && !child.matches("section")) {
    const parent = child.parentElement;
    ancestors.push({ parent, index: [...parent.children].indexOf(child) });
    child = parent;
  }
  return { element, ancestors };
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(":disabled");
}

/** Firefox leaves the focus on a control that is disabled, where no key has an effect. */
function isLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.matches(":disabled");
}

/** The control that now has the place, or the one before it; undefined if there is none in the section. */
function controlNear({ ancestors }: Place): HTMLElement | undefined {
  for (const { parent, index } of ancestors) {
    if (!parent.isConnected) continue;
    if (parent.querySelector("h1")) break;
    const controls = [...parent.querySelectorAll<HTMLElement>(CONTROL)].filter((control) => control.checkVisibility());
    const child = parent.children[index];
    const next = child && controls.find((control) => child.contains(control) || isBefore(child, control));
    const near = next ?? controls.at(-1);
    if (near) return near;
  }
  return undefined;
}

function focusNear(place: Place): void {
  const control = controlNear(place);
  if (control) control.focus();
  else document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

export function useKeptFocus(): void {
  useEffect(() => {
    const page = document.getElementById("root");
    let last: Place | undefined;
    /** Whether the focus was in a dialog or a menu since. They are beside the page. */
    let wasOutside = false;
    const onFocusIn = ({ target }: FocusEvent) => {
      wasOutside = !page?.contains(target as Node);
      if (!wasOutside && target instanceof HTMLElement) last = placeOf(target);
    };
    // A click on nothing drops the focus on purpose.
    const onMouseUp = () => {
      if (!wasOutside && document.activeElement === document.body) last = undefined;
    };
    const restore = () => {
      if (!last || !isLost() || document.querySelector(DIALOG)) return;
      if (isGone(last.element)) focusNear(last);
      else if (wasOutside) last.element.focus();
    };
    const observer = new MutationObserver(() => {
      if (!last) return;
      // Its place changes when the list around it does, for example when it is filtered.
      if (!isGone(last.element)) last = placeOf(last.element);
      // A dialog that closes returns the focus in the next frame, if it can.
      if (isLost()) requestAnimationFrame(() => requestAnimationFrame(restore));
    });
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("mouseup", onMouseUp, true);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("mouseup", onMouseUp, true);
    };
  }, []);
}
