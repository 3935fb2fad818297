// Short messages in a corner of the page, which screen readers announce.
import { type ReactNode, useSyncExternalStore } from "react";
import { Link } from "react-aria-components";
import { IconButton } from "../button/button.js";

export interface Toast {
  tone: "good" | "note" | "bad";
  text: string;
  /** Where to see more. */
  link?: { href: string; label: string };
}

interface VisibleToast extends Toast {
  id: number;
}

const VISIBLE_MS = 6_000;
const MAX_VISIBLE = 3;

let visible: readonly VisibleToast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function setVisible(toasts: readonly VisibleToast[]): void {
  visible = toasts;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  setVisible(visible.filter((toast) => toast.id !== id));
}

/** Shows a message. Errors and messages with a link stay until they are dismissed. */
export function toast(toast: Toast): void {
  const id = nextId++;
  setVisible([...visible, { ...toast, id }].slice(-MAX_VISIBLE));
  if (toast.tone !== "bad" && !toast.link) setTimeout(() => dismiss(id), VISIBLE_MS);
}

/** Renders the messages; the shell has one. */
export function Toasts(): ReactNode {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => visible,
  );
  return (
    <div className="toasts" role="status" data-react-aria-top-layer="true">
      {toasts.map(({ id, tone, text, link }) => (
        <div key={id} className={`toast toast-${tone}`}>
          <div className="toast-text">
            {text}{" "}
            {link && (
              <Link href={link.href} onPress={() => dismiss(id)}>
                {link.label}
              </Link>
            )}
          </div>
          <IconButton icon="close" label="Dismiss" onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
