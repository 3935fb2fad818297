// Listens for the keys that work on every page: search, the page's search field, help.
import { type ReactNode, useEffect, useState } from "react";
import { deferredDialog } from "../../parts/dialog/deferred-dialog.js";
import { SearchDialog } from "../search/search-button.js";
import { shortcutOf } from "./keys.js";

const ShortcutsDialog = deferredDialog(
  "Keyboard shortcuts",
  async () => (await import("../dialogs.js")).ShortcutsDialog,
);

/** What a shortcut has opened, and how a button opens the search. */
export function useShortcuts(): { openSearch: () => void; dialog: ReactNode } {
  const [open, setOpen] = useState<"search" | "help">();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const asked = shortcutOf(event);
      if (asked === undefined) return;
      event.preventDefault();
      const field = asked === "field" ? searchFieldOfPage() : null;
      if (field) field.focus();
      else setOpen(asked === "help" ? "help" : "search");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const close = () => setOpen(undefined);
  return {
    openSearch: () => setOpen("search"),
    dialog:
      open === "search" ? (
        <SearchDialog onClose={close} />
      ) : open === "help" ? (
        <ShortcutsDialog onClose={close} />
      ) : null,
  };
}

function searchFieldOfPage(): HTMLInputElement | null {
  return document.querySelector("main .search input");
}
