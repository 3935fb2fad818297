// The keys that work on every page, and what each does.

const ON_A_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

export const SEARCH_KEYS = ON_A_MAC ? "⌘ K" : "Ctrl K";

export const SHORTCUTS: readonly { keys: string; does: string }[] = [
  { keys: SEARCH_KEYS, does: "Search everything" },
  { keys: "/", does: "Go to the search field of the page" },
  { keys: "?", does: "Show these keys" },
  { keys: "Esc", does: "Close what is open" },
];

/** What the key asks for; undefined if it means something else where it was pressed. */
export function shortcutOf(event: KeyboardEvent): "search" | "field" | "help" | undefined {
  if (event.defaultPrevented || event.altKey || event.isComposing) return undefined;
  if (document.querySelector("[role=dialog], [role=alertdialog]")) return undefined;
  if (event.ctrlKey || event.metaKey) {
    return event.key.toLowerCase() === "k" && !event.shiftKey ? "search" : undefined;
  }
  if (isTyping(event.target)) return undefined;
  if (event.key === "/") return "field";
  return event.key === "?" ? "help" : undefined;
}

/** Whether keys pressed there are text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[role=listbox], [role=menu]")) return true;
  return target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=range])");
}
