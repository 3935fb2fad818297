// Whether the server can be reached. While it cannot, queries wait; the first answer sets them going again.
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

const PROBE = "/health/live";
const PROBE_EVERY_MS = 3_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** A request got no answer. */
export function unreachable(): void {
  onlineManager.setOnline(false);
  timer ??= setTimeout(probe, PROBE_EVERY_MS);
}

/** Asks now whether the server is back. */
export async function probe(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  try {
    await fetch(PROBE, { cache: "no-store" });
    onlineManager.setOnline(true);
  } catch {
    unreachable();
  }
}

/** Whether the last request was answered. */
export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}
