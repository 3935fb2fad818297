// Listens for the keys that work on every page: search, the page's search field, help.
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { SearchDialog } from "../search/search-button.js";
import { SHORTCUTS, shortcutOf } from "./keys.js";

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
    dialog: open === "search" ? <SearchDialog onClose={close} /> : open === "help" ? <Help onClose={close} /> : null,
  };
}

function searchFieldOfPage(): HTMLInputElement | null {
  return document.querySelector("main .search input");
}

function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <DialogBody>
        <dl className="shortcuts">
          {SHORTCUTS.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd className="key-cap">{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
      <DialogButtons>
        <Button onPress={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}
