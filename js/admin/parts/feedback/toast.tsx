// Short messages, which screen readers announce. They have a place of their own, so they cover nothing, and go by themselves.
import {
  type FocusEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Link, useLocation } from "wouter";
import { IconButton } from "../button/button.js";
import { useToastFocus } from "./use-toast-focus.js";

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
/** For errors and for messages with a link: there is something to do. */
const VISIBLE_LONG_MS = 12_000;
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a message for some seconds. */
export function toast(toast: Toast): void {
  setVisible([...visible, { ...toast, id: nextId++ }].slice(-MAX_VISIBLE));
}

/** Renders the messages; the shell has one. They stay while one of them has the pointer or the focus. F6 moves the focus there. */
export function Toasts(): ReactNode {
  const toasts = useSyncExternalStore(subscribe, () => visible);
  const region = useRef<HTMLElement>(null);
  const { paused, handlers } = usePause(region, toasts);
  useToastFocus(region, toasts);
  useDismissOnArrival();
  return (
    <section
      ref={region}
      className="toasts"
      aria-label="Messages"
      aria-keyshortcuts="F6"
      data-react-aria-top-layer="true"
      {...handlers}
    >
      <div className="toasts-list" role="status">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} paused={paused} />
        ))}
      </div>
    </section>
  );
}

function ToastItem({ toast: { id, tone, text, link }, paused }: { toast: VisibleToast; paused: boolean }) {
  const close = () => dismiss(id);
  useTimeout(close, tone === "bad" || link ? VISIBLE_LONG_MS : VISIBLE_MS, paused);
  return (
    <div className={`toast toast-${tone}`}>
      <div className="toast-text">
        {text}{" "}
        {link && (
          <Link href={link.href} onClick={close}>
            {link.label}
          </Link>
        )}
      </div>
      <IconButton icon="close" label="Dismiss" onPress={close} />
    </div>
  );
}

/** Calls `end` after so many milliseconds, not counting the time in which it is paused. */
function useTimeout(end: () => void, milliseconds: number, paused: boolean): void {
  const latest = useRef(end);
  latest.current = end;
  const left = useRef(milliseconds);
  useEffect(() => {
    if (paused) return;
    const start = performance.now();
    const timer = setTimeout(() => latest.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - start;
    };
  }, [paused]);
}

/** Whether the pointer or the focus is on a message. */
function usePause(region: RefObject<HTMLElement | null>, toasts: readonly VisibleToast[]) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that goes takes both with it, without an event
  useEffect(() => {
    if (!region.current?.matches(":hover")) setHovered(false);
    if (!region.current?.contains(document.activeElement)) setFocused(false);
  }, [toasts]);
  const handlers = {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setFocused(false);
    },
  };
  return { paused: hovered || focused, handlers };
}

/** A message goes when the address of its link is reached. */
function useDismissOnArrival(): void {
  const [pathname] = useLocation();
  useEffect(() => {
    if (visible.some(({ link }) => link?.href === pathname)) {
      setVisible(visible.filter(({ link }) => link?.href !== pathname));
    }
  }, [pathname]);
}
