// What has just happened, said once: shown for a while in a corner, and spoken by screen readers.
import { type ReactNode, useSyncExternalStore } from "react";
import { Link } from "react-aria-components";
import { IconButton } from "../button/button.js";

export interface Toast {
  tone: "good" | "note" | "bad";
  text: string;
  /** Where to see more of it. */
  link?: { href: string; label: string };
}

interface Shown extends Toast {
  id: number;
}

const SHOWN_MS = 6_000;

let shown: readonly Shown[] = [];
let next = 1;
const listeners = new Set<() => void>();

function show(toasts: readonly Shown[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  show(shown.filter((toast) => toast.id !== id));
}

/** Says it. What went wrong, and what has a link, stays until it is closed. */
export function toast(toast: Toast): void {
  const id = next++;
  show([...shown, { ...toast, id }].slice(-3));
  if (toast.tone !== "bad" && !toast.link) setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Where they appear; stands once in the shell. */
export function Toasts(): ReactNode {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
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
